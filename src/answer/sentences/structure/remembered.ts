/** Works something out once for each object, as long as it lives. */
export function remembered<T extends object, R extends {}>(workOut: (of: T) => R): (of: T) => R {
  const known = new WeakMap<T, R>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found;
    const value = workOut(of);
    known.set(of, value);
    return value;
  };
}
