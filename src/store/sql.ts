/** A string as an SQL literal. Only the quote is escaped: the database's dialect has no backslash escapes. */
export function sqlString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** `column IN ('a', 'b')`; false for an empty list. */
export function sqlIn(column: string, values: readonly string[]): string {
  return values.length === 0 ? 'false' : `${column} IN (${values.map(sqlString).join(', ')})`;
}
