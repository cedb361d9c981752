import { describe, expect, it } from 'vitest';
import { byPart } from '../../../src/answer/party-parts.ts';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';
import { chunkOf, hitOf } from './hits.ts';

const asked = (question: string, ...texts: string[]): string[] =>
  byPart(
    question,
    texts.map((text, i) => hitOf(chunkOf(text, { uri: `${i}.txt` }))),
  ).map((one) => one.question);

describe('a party that a question names', () => {
  const lease =
    'This lease is made on the 4th day of May, 2021 (the “Effective Date”) between Quay Works, a company of Maine (“Landlord”), and Pell Boats Inc., a company of Ohio (the "Tenant"), for the hall at 4 Pier Road (“Premises”).';

  it.each([
    ['May Pell Boats keep a dog?', lease, ['May Tenant keep a dog?']],
    ["What is Pell Boats' rent?", lease, ["What is Tenant' rent?"]],
    ['What does Pell Boats pay to Quay Works?', lease, ['What does Tenant pay to Landlord?']],
    ['What is the rent between Quay Works and Pell Boats?', lease, ['What is the rent between Landlord and Tenant?']],
    ['Where is Pier Road?', lease, []], // in what is called so, and not its name
    ['Who lives in Maine?', lease, []],
    ['May Boats keep a dog?', 'Between Nora Pell (“Lender”) and Pell Boats (“Borrower”)', ['May Borrower keep a dog?']],
    [
      'Darf Nora Pell einen Hund halten?',
      'Nora Pell (nachfolgend „Mieterin“ genannt)',
      ['Darf Mieterin einen Hund halten?'],
    ],
    ['Que paie Nora Pell ?', 'Nora Pell, née à Brest (ci-après « la Locataire »)', []], // her birth is no kind of company
    ['Que paie Quai Bleu ?', 'Quai Bleu, une société (ci-après « le Bailleur »)', ['Que paie Bailleur ?']],
    ['What does Nora Pell pay?', 'Nora Pell met the owner (“Owner”).', []],
    ['What does the tenant pay?', lease, []],
  ])('is called as its contract calls it: %s', (question, text, expected) => {
    expect(asked(question, text)).toEqual(expected);
  });

  it('has the part that each contract gives it, and the second one too', () => {
    expect(
      asked(
        'What may Pell Boats do?',
        'Pell Boats (“Tenant”).',
        'Nobody.',
        'Pell Boats (“Lender”). Pell Boats Inc. (“Bank”).',
      ),
    ).toEqual(['What may Tenant do?', 'What may Lender do?', 'What may Bank do?']);
  });

  it('is answered from its own contract, in which it is not named again', async () => {
    const base = tempFolder();
    await using index = await openIndex(`${base}/.ibid`, { create: true, base });
    const long = (what: string): string => `Tenant shall see to the ${what} of the hall, and pay for it. `.repeat(40);
    const contract = (tenant: string, rent: string): string =>
      [
        `# Lease\n\nThis lease is made between Quay Works (“Landlord”) and ${tenant} (“Tenant”).`,
        ...['keys', 'signs', 'water'].map((what) => `## About the ${what}\n\n${long(what)}`),
        `## Rent\n\nTenant shall pay to Landlord each month a rent of $${rent}, on the first day of the month.`,
        ...['lamps', 'doors', 'drains'].map((what) => `## About the ${what}\n\n${long(what)}`),
      ].join('\n\n');
    const tenants = [
      'Rudd Sails',
      'Holt Ropes',
      'Pell Boats',
      'Moor Lamps',
      'Abara Nets',
      'Leigh Paints',
      'Brandt Oars',
    ];
    await index.add(
      tenants.map((tenant, i) => ({ uri: `lease-${i}.md`, title: 'Lease', text: contract(tenant, `${i + 1},200`) })),
    );
    for (const [i, tenant] of tenants.entries()) {
      const question = `How much rent does ${tenant} pay to Quay Works each month?`;
      const { question: asked, citations, answer } = await index.ask(question, { mode: 'extractive' });
      expect([asked, citations[0]!.uri]).toEqual([question, `lease-${i}.md`]);
      expect(answer).toContain(`$${i + 1},200`);
    }
  });
});
