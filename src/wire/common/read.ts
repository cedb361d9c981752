/** A count that a server tells; undefined for anything else. */
export const quantityOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
