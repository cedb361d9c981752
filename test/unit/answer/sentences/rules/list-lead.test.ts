import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { listGain } from '../../../../../src/answer/sentences/rules/list-lead.ts';
import { itemsBelow } from '../../../../../src/answer/sentences/structure/list-below.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const text = `A lock keeper may turn away any boat of the three kinds of vessels.

Every lock of the canal takes one of the following kinds of vessels:

- BARGE. It carries coal.
- SKIFF. It is rowed.
- LAUNCH. It has an engine.

Vessels of other kinds wait at the quay. A keeper is any man who

- has served three years, and
- can swim.

Coffee is served at noon.`;

function gaining(question: string, passage = text): string[] {
  const analysed = analyseQuestion(question, statisticsOf([passage]));
  return candidatesOf(analysed, [hitOf(chunkOf(passage))]).flatMap((one) =>
    listGain(analysed, one) > 0 ? [passage.slice(one.unit.start, one.unit.end)] : [],
  );
}

const lead = 'Every lock of the canal takes one of the following kinds of vessels:';

describe('listGain', () => {
  it.each([
    'What are the kinds of vessels?',
    'What are the three kinds of vessels on the canal?',
    'Which vessels are needed on the canal?',
    'Which vessels do I need on the canal?',
    'List the vessels.',
  ])('is for what announces a list of all that is asked for: %s', (question) => {
    expect(gaining(question)).toEqual([lead]);
  });

  const board = 'The board meets in May. The board consists of:\n\n1. Ida Brandt, chair\n2. Jon Vik, treasurer\n';
  it.each([
    'Who is on the board?',
    'Who are the members of the board?',
    'What are the parts of the board?',
    'Wer sitzt im Board?',
  ])('is for what says of whom something consists: %s', (question) => {
    expect(gaining(question, board)).toEqual(['The board consists of:']);
  });

  it.each(['Who is the board?', 'Who are the members?', 'Who is on the roof?'])('is not for %s', (question) => {
    expect(gaining(question, board)).toEqual([]);
  });

  it.each([
    'What are the four kinds of vessels?', // three are listed
    'What are the kinds of engines?',
    'What do the vessels carry?',
  ])('is for no other question: %s', (question) => {
    expect(gaining(question)).toEqual([]);
  });

  it.each([
    ['Was sind die Voraussetzungen?', 'Voraussetzungen sind:\n\n- Mut\n- Geduld\n'],
    ['Welche Voraussetzungen gibt es?', 'Voraussetzungen sind:\n\n1. Mut\n2. Geduld\n'],
    ['Quelles sont les conditions du prêt ?', 'Les conditions du prêt :\n\n- une caution\n- un livret\n'],
    ['¿Cuáles son los requisitos?', 'Los requisitos son estos:\n\n- una fianza\n- un carné\n'],
    ['Quali sono i requisiti del prestito?', 'I requisiti del prestito sono:\n\n- una cauzione\n- un tesserino\n'],
  ])('is for lists in other languages: %s', (question, passage) => {
    expect(gaining(question, passage)).toHaveLength(1);
  });
});

describe('a table below a sentence that announces it', () => {
  const fees = (rows: number): string =>
    `The fees for boats are as follows:\n\n| boat | fee |\n| --- | --- |\n${Array.from({ length: rows }, (_, i) => `| boat ${i + 1} | ${i + 10} EUR |\n`).join('')}`;
  const said = (text: string, question = 'What are the fees for boats?') => ask(question, [hitOf(chunkOf(text))]);

  it('is said whole, without its names of columns, and is a plain answer', () => {
    const { answer, confidence } = said(fees(2));
    expect(answer).toBe('The fees for boats are as follows: boat 1 – fee: 10 EUR; boat 2 – fee: 11 EUR [1]');
    expect(confidence).toBe('high');
  });

  it('is not announced where only a part of it would be shown, nor by a sentence without a colon', () => {
    expect(gaining('What are the fees for boats?', fees(80))).toEqual([]);
    expect(gaining('What are the fees for boats?', fees(2).replace('follows:', 'follows.'))).toEqual([]);
  });

  it('is no part of a list above it', () => {
    const text = `The tenant brings:\n\n- a ladder\n- two lamps\n\n| item | price |\n| --- | --- |\n| ladder | 40 EUR |\n`;
    expect(said(text, 'What does the tenant bring?').answer).toBe('The tenant brings: a ladder; two lamps [1]');
  });
});

describe('itemsBelow', () => {
  const below = (passage: string, sentence: string): number => {
    const start = passage.indexOf(sentence);
    return itemsBelow(passage, { start, end: start + sentence.length });
  };

  it('counts the items that a sentence leads on to, and not those in them', () => {
    expect(below(text, lead)).toBe(3);
    expect(below(text, 'A keeper is any man who')).toBe(2);
    expect(below('It needs:\n- oil\n  - of seals\n  - of olives\n\n  or tar\n- rope\n', 'It needs:')).toBe(2);
  });

  it('counts items that a line without an end goes on in', () => {
    expect(below('Do not use it\n- if it rains\n- in the dark\n', 'Do not use it')).toBe(2);
  });

  it('counts as many items as a sentence says that there are', () => {
    const parts = 'A crane has three parts.\n- a jib\n- a hook\n- a cab\n';
    expect(below(parts, 'A crane has three parts.')).toBe(3);
    expect(below(parts.replace('three', 'four'), 'A crane has four parts.')).toBe(0);
    expect(below(parts.replace('three', 'moving'), 'A crane has moving parts.')).toBe(0);
    expect(below('Let it dry for three hours.\n- a jib\n- a hook\n- a cab\n', 'Let it dry for three hours.')).toBe(0);
    expect(below('1. It has three parts.\n2. Clean it.\n3. Dry it.\n4. Oil it.\n', 'It has three parts.')).toBe(0);
  });

  it('is 0 behind a whole sentence, a name, and where no list follows', () => {
    expect(below('It is short.\n- oil\n', 'It is short.')).toBe(0);
    expect(below('Old harbour tools\n\n- oil\n', 'Old harbour tools')).toBe(0);
    expect(below('It needs:\n\nOil and rope.\n', 'It needs:')).toBe(0);
    expect(below('Do not use water\n- oil\n', 'Do not use water')).toBe(0);
  });
});

describe('an answer', () => {
  it('has the list that its sentence leads on to, also where no colon stands', () => {
    const hits = [hitOf(chunkOf(text))];
    expect(ask('Who is a keeper?', hits).citations[0]!.quote).toBe(
      'A keeper is any man who\n\n- has served three years, and\n- can swim.',
    );
    const { answer } = ask('What are the three kinds of vessels?', hits);
    expect(answer).toContain('BARGE. It carries coal');
    expect(answer).toContain('LAUNCH. It has an engine');
  });
});
