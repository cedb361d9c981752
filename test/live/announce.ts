import { budgetUsd, isAgreed, missing, type Part, plan, serviceOf, yes } from './plan.ts';

/** Says what the run may cost before anything is sent, and lets nothing be sent without an explicit yes. */
export default function announce(): void {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  if (missing('SEARCH') && missing('MESSAGES') && missing('AUDIO')) {
    say(
      'test:live asks real services and needs keys: set IBID_SEARCH_API_KEY, IBID_MESSAGES_API_KEY or IBID_AUDIO_API_KEY, each with its …_BASE_URL.',
    );
    return;
  }
  const all = Object.entries(plan()) as [Part, number][]; // its keys are parts
  const parts = all.filter(([name]) => missing(serviceOf[name]) === undefined);
  const sum = parts.reduce((total, [, usd]) => total + usd, 0);
  say(
    `This run asks the services of the environment. At most, by the price lists: ${sum.toFixed(4)} USD; nothing is sent that could bring it over ${budgetUsd.toFixed(2)} USD:`,
  );
  for (const [name, usd] of parts) say(`  ${name.padEnd(12)} ${usd.toFixed(6)} USD`);
  if (parts.some(([name]) => name === 'research'))
    say(
      'Of research the service alone decides how much it reads: the figure is for 20,000 tokens of its dearest model.',
    );
  if (parts.some(([name]) => name === 'speech'))
    say('Of audio the key’s plan decides the price: the figures are for characters and minutes beyond its quota.');
  if (sum > budgetUsd) throw new Error(`the estimate of ${sum.toFixed(4)} USD is over the budget of ${budgetUsd} USD`);
  if (!isAgreed()) throw new Error(`nothing was sent: set ${yes} to agree to this price`);
}
