/** Raised whenever the same document would be normalised or cut differently: part of the index fingerprint. */
export const textVersion: number = 1;
