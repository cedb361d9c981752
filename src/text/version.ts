/** Part of the index fingerprint: raise it when the same document is normalised or cut in another way. */
export const textVersion: number = 9;
