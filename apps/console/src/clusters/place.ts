/** A hub: the name of its owner, and the name of the cluster. */
export interface Place {
  owner: string;
  cluster: string;
}

/** A cluster set of a hub. */
export interface SetPlace extends Place {
  clusterset: string;
}
