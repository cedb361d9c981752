import { errorAnswer } from './answer-shapes.ts';
import type { Route } from './route.ts';
import type { AnyObjectSchema } from './schema.ts';

/** The OpenAPI document of routes, made of the schemas that check their requests. */
export function openApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, methods, summary, scope, request, answer, media } of routes) {
    for (const method of methods) {
      const inBody = method === 'POST' && request !== undefined;
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: {
          summary,
          operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
          ...(inBody && { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
          ...(method === 'GET' && request && { parameters: parametersOf(request) }),
          security: scope === undefined ? [] : [{ token: [] }],
          responses: {
            200: {
              description: 'OK',
              content: {
                ...(answer && { 'application/json': { schema: answer } }),
                ...(media !== undefined && { [media]: {} }),
              },
            },
            default: { description: 'An error', content: { 'application/json': { schema: errorAnswer } } },
          },
        },
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'ibid', version, description: 'Search, questions and documents of an index.' },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function parametersOf({ properties = {}, required = [] }: AnyObjectSchema): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => {
    const { description } = schema;
    const isJson = schema.type === 'object' || schema.type === 'array';
    return {
      ...{ name, in: 'query', required: required.includes(name), ...(description !== undefined && { description }) },
      ...(isJson ? { content: { 'application/json': { schema } } } : { schema }),
    };
  });
}
