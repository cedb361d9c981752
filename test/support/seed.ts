import fc from 'fast-check';

/**
 * One seed for every property, so that a run can be repeated and a change is judged by what it changes.
 * `FC_SEED=7 npm test` tries another one, `FC_SEED=random` a new one each time; fast-check prints it with a failure.
 */
const seed = process.env.FC_SEED ?? '20261121';
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
