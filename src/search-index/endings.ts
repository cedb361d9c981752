/** By index: what aborts with its `close`. */
export const endings: WeakMap<object, AbortSignal> = new WeakMap();
