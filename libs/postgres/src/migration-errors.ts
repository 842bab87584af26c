/** Why migrations are not run. */
export type MigrationReason =
  | 'BAD_FILE_NAME'
  | 'SAME_TIME'
  /** A file that it includes does not exist. */
  | 'MISSING_INCLUDE'
  /** The file takes something away without saying whom that leaves behind. */
  | 'TAKES_AWAY'
  /** The migration that a file contracts is not there before it. */
  | 'MISSING_EXPANSION'
  /** A newer version has taken away what this one uses, or has gone on from another state than this one's. */
  | 'SCHEMA_FROM_FUTURE'
  /** A file that was applied has been changed since. */
  | 'CHANGED_FILE'
  /** The schema is missing, or not this role's. */
  | 'MISSING_SCHEMA'
  /** Another process has been migrating this schema for too long. */
  | 'LOCKED';

/** The schema and the files do not go together; nothing was changed. The message ends with the cure. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
  readonly reason: MigrationReason;
  /** The file (or schema) it is about. */
  readonly subject: string;

  constructor(reason: MigrationReason, subject: string, cure: string) {
    super(`migration ${subject} is refused (${reason}): ${cure}`);
    this.reason = reason;
    this.subject = subject;
  }
}

/** A statement of a migration failed. The files before it are applied; of this one nothing, if it has a transaction. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
  readonly file: string;
  /** Line of the file, where PostgreSQL says one. */
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, cause: Error) {
    super(`migration ${file}${line === undefined ? '' : `, line ${line}`}: ${cause.message}`, { cause });
    this.file = file;
    this.line = line;
  }
}
