/**
 * The example at the head of the README's section about `ibid/wire`: type-checked here, run by `environment.test.ts`.
 */
import { createMessagesService, messages, serviceFromEnvironment, WireError } from '../../../src/wire/index.ts';

export async function askForPump(environment: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const said: string[] = [];
  const process = { env: environment };
  const console = { log: (...words: unknown[]): unknown => said.push(words.join(' ')) };
  // example: door
  await using service = createMessagesService(serviceFromEnvironment('messages', process.env));
  const request = {
    model: 'assistant-small-4-5',
    max_tokens: 300,
    messages: [{ role: 'user', content: 'What does a pump do?' }],
  } as const;
  try {
    const stream = service.stream(request, { timeouts: { totalMs: 60_000 } });
    for await (const text of stream.text()) console.log(text);
    const { usage, model } = await stream.message();
    console.log(messages.messageCost(usage, model)?.usd);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    console.log(error.code, error.hint, error.requestId, error.attempts, error.retryable);
  }
  // end
  return said;
}
