import type { RecordedRequest, Route, SocketRoute, WireService } from './contract.ts';

/** Values of `{name}` when the path fits the template; segments are percent-decoded. */
function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const want = template.split('/');
  const have = path.split('/');
  if (want.length !== have.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = have[i] ?? '';
    if (!part.startsWith('{')) {
      if (part !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    try {
      params[part.slice(1, -1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return params;
}

/**
 * The service a request is for. Among those that know the path the one whose headers claim it most; without any, among
 * all.
 * @returns the first of the best; undefined only when there are no services
 */
export function pickService(services: readonly WireService[], request: RecordedRequest): WireService | undefined {
  const knowing = services.filter((service) =>
    service.routes.some((route) => matchPath(route.path, request.path) !== undefined),
  );
  let best: WireService | undefined;
  for (const service of knowing.length > 0 ? knowing : services) {
    if (best === undefined || service.claims(request.headers) > best.claims(request.headers)) best = service;
  }
  return best;
}

/**
 * The route of a service. `route` is undefined when only the method is wrong; the whole is undefined when the path is
 * unknown.
 */
export function matchRoute(
  service: WireService,
  request: RecordedRequest,
): { route: Route | undefined; operation: string | undefined; params: Readonly<Record<string, string>> } | undefined {
  let known = false;
  for (const route of service.routes) {
    const params = matchPath(route.path, request.path);
    if (params === undefined) continue;
    known = true;
    if (route.method === request.method) return { route, operation: `${route.method} ${route.path}`, params };
  }
  return known ? { route: undefined, operation: undefined, params: {} } : undefined;
}

export function matchSocket(
  services: readonly WireService[],
  request: RecordedRequest,
):
  | { service: WireService; route: SocketRoute; operation: string; params: Readonly<Record<string, string>> }
  | undefined {
  for (const service of services) {
    for (const route of service.sockets ?? []) {
      const params = matchPath(route.path, request.path);
      if (params !== undefined) return { service, route, operation: `WS ${route.path}`, params };
    }
  }
  return undefined;
}
