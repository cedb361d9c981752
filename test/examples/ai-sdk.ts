import { generateText, type LanguageModel, stepCountIs } from 'ai';
import { aiWriter, answerModel, searchTool } from '../../src/ai.ts';
import { openIndex } from '../../src/index.ts';

/** A model of the AI SDK that searches an index by itself, through a tool. */
export async function askWithTool(address: string, model: LanguageModel, prompt: string): Promise<string> {
  await using index = await openIndex(address);
  const { text } = await generateText({
    model,
    prompt,
    tools: { search: searchTool(index) },
    stopWhen: stepCountIs(5),
  });
  return text;
}

/** The same model writing the answers of ibid, where every citation is proven. */
export async function askWithProof(address: string, model: LanguageModel, question: string): Promise<string[]> {
  if (typeof model === 'string') throw new Error('give a model, not its name');
  await using index = await openIndex(address, { models: { writer: aiWriter(model) } });
  const { citations } = await index.ask(question);
  return citations.map(({ quote }) => quote);
}

/** An index as a model: its answers with their citations as sources, for what is built on the AI SDK. */
export async function askAsModel(address: string, prompt: string): Promise<{ text: string; sources: string[] }> {
  await using index = await openIndex(address);
  const { text, sources } = await generateText({ model: answerModel(index), prompt });
  return { text, sources: sources.map(({ id }) => id) };
}
