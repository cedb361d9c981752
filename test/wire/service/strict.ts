import * as v from 'valibot';

/** What is wrong with a body: where (`messages.0.content`) and what, in the words of a service. */
export interface StrictIssue {
  readonly path: string;
  readonly message: string;
  /** An unknown key, told apart because services word it differently. */
  readonly unknownKey: boolean;
  readonly missing: boolean;
}

/**
 * Checks a body against a schema made of `v.strictObject`, unknown keys at any depth included. In unions use
 * `v.variant`, so that the issue names the key and not only the union.
 * @returns the value, or what is wrong with it first
 */
export function strictly<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
):
  | { readonly value: v.InferOutput<S>; readonly issue: undefined }
  | { readonly value: undefined; readonly issue: StrictIssue } {
  const result = v.safeParse(schema, value);
  if (result.success) return { value: result.output, issue: undefined };
  const issue = deepest(result.issues);
  const path = v.getDotPath(issue) ?? '';
  const unknownKey = issue.type === 'strict_object' && issue.expected === 'never';
  const missing = issue.received === 'undefined';
  const message = unknownKey
    ? 'Extra inputs are not permitted'
    : missing
      ? 'Field required'
      : issue.kind === 'validation' || issue.type === 'check'
        ? issue.message
        : `Input should be ${issue.expected ?? 'valid'}, received ${issue.received}`;
  return { value: undefined, issue: { path, message, unknownKey, missing } };
}

/** Issues inside a union's branches say more than the union's own. */
function deepest(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown> {
  const first = issues[0]!;
  return first.issues === undefined || first.issues.length === 0 ? first : deepest(first.issues);
}
