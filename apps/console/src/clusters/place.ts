/** A hub: the name of its owner and its own. */
export interface Place {
  owner: string;
  cluster: string;
}

/** A cluster set of a hub. */
export interface SetPlace extends Place {
  clusterset: string;
}
