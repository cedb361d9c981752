/**
 * Pages of several columns, read by a person: phrases from each paragraph, in the order in which they are to be read.
 * Notes at the foot of a column and text inside drawings have no place in it.
 */
export interface MarkedPage {
  /** Below the folder of documents. */
  readonly file: string;
  readonly page: number;
  readonly phrases: readonly string[];
}

export const markedPages: readonly MarkedPage[] = [
  {
    file: 'pdf/tracemonkey.pdf',
    page: 2,
    phrases: [
      'Hence, recording and compiling a trace',
      'Every compiled trace contains all the',
      'Nested loops can be difficult to optimize',
      'on ever tracing outer loops',
      'We solve the nested loop problem',
      'These techniques allow a VM to dynamically',
      'We implemented these techniques for an existing',
      'This paper makes the following contributions',
      'We explain an algorithm for dynamically',
      'We explain how to speculatively generate',
      'We validate our tracing techniques',
      'The remainder of this paper is organized',
      'we evaluate our dynamic compiler based on',
      'a set of industry benchmarks',
      'This section provides an overview of our system',
      'TraceMonkey always begins executing a program',
      'Here is the sequence of events broken down',
    ],
  },
  {
    file: 'pdf/federal-register-2020-17221.pdf',
    page: 2,
    phrases: [
      'Hatta International Airport in Jakarta',
      'Following the Lion Air Flight',
      'These effects include stall warning',
      'altitude disagree alert',
      'On November 7, 2018, the FAA issued',
      'was published in the Federal Register as an',
      'On March 10, 2019, a Boeing Model',
      'the manufacturer, the operator, and the Ethiopian Civil Aviation',
      'The data from the flight data',
      'To address the unsafe condition',
      'In addition to these four design',
    ],
  },
  {
    file: 'pdf/multi-column.pdf',
    page: 1,
    phrases: [
      'Dense Passage Retrieval for Open-Domain Question Answering',
      'Open-domain question answering relies on',
      'In this work, we show that',
      'wide range of open-domain QA datasets',
      'Open-domain question answering (QA)',
      'et al. (2003), inter alia',
      'Although reducing',
      'a huge performance degradation',
      'Retrieval in open-domain QA is usually',
      'Consider the question',
      'of the Rings trilogy',
      'A term-based system would',
      'However, it is generally believed that',
      'proposes a sophisticated inverse cloze task',
      'Although ORQA successfully demonstrates that',
    ],
  },
];
