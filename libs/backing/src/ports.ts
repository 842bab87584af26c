/** As many free ports on 127.0.0.1, all different. Free at this moment: somebody may take one before it is used. */
export declare function freePorts(count: number): Promise<number[]>;

/** Who listens on a port of 127.0.0.1, as far as this user may know: `nginx (pid 12)`; undefined if unknown. */
export declare function portOwner(port: number): Promise<string | undefined>;
