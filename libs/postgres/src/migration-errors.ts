type MigrationReason =
  | 'BAD_FILE_NAME'
  | 'SAME_TIME'
  | 'MISSING_INCLUDE'
  /** The file removes or changes something that older versions may use, but has no line `-- contracts:`. */
  | 'TAKES_AWAY'
  /** The line `-- contracts:` names a migration that does not exist or is not earlier. */
  | 'MISSING_EXPANSION'
  /**
   * A newer version migrated the schema. Either that version removed something that this version uses, or this version
   * has pending files.
   */
  | 'SCHEMA_FROM_FUTURE'
  | 'CHANGED_FILE'
  /** The schema does not exist, or this role may not create objects in it. */
  | 'MISSING_SCHEMA'
  /** Another process has been migrating this schema for too long. */
  | 'LOCKED';

/** The migration cannot start. No file was applied. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
  readonly reason: MigrationReason;
  /** The file or schema that the reason is about. */
  readonly subject: string;

  constructor(reason: MigrationReason, subject: string, cure: string) {
    super(`migration ${subject} is refused (${reason}): ${cure}`);
    this.reason = reason;
    this.subject = subject;
  }
}

/** A statement failed. Earlier files stay applied. The failed file is rolled back if it runs in a transaction. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
  readonly file: string;
  /** Line in the text of the file, with its includes replaced. Undefined if PostgreSQL reports no position. */
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, cause: Error) {
    super(`migration ${file}${line === undefined ? '' : `, line ${line}`}: ${cause.message}`, { cause });
    this.file = file;
    this.line = line;
  }
}
