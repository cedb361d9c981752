import { BlockList, isIP } from 'node:net';

/**
 * Ranges that are not the public web: private, loopback, link-local, shared, documentation, multicast, reserved (IANA
 * special-purpose registries).
 */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}

/** Of IPv6 only what is given out to the public, less what lies in it for other uses. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const special6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23], // Teredo, benchmarking, ORCHID …
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: an IPv4 address in disguise
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  special6.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether an IP address belongs to the public internet. IPv4 in the clothes of IPv6 (mapped, NAT64, 6to4) never does:
 * nobody on the web needs it, and it hides where it leads.
 * @param address as a resolver gives it, without brackets; a zone (`%eth0`) makes it not public
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
