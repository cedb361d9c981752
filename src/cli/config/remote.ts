/** True for `memory://`, `s3://…`, `db://…`: anything LanceDB opens that is not a folder here. */
export function isRemoteAddress(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !address.startsWith('file://');
}
