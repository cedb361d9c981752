/** English words that a stemmer joins though they are of different things; what is parted by `/` is unlike. */
const unlike = `office offices / officer officers
animal animals / animate animated animates animation animations
author authors authored / authorities authority authorization authorize authorized authorizes authorise authorised
commune communes / communism communist communists / communities community
custom customs customary / customer customers
executable execute executed executes executing execution executions / executive executives
general generally generals / generate generated generates generating generation generations generator generators
import imported importer importers importing imports / importance important importantly
intern interned interns / internal internally / international internationally
new newer newest newly / news
organ organs / organisation organisations organise organised organising organization organizations organize organized organizing
past / paste pasted pastes pasting
physic physics / physical physically
ration rationed rations / rational rationale rationally
sever severed severing / several
universal universally / universe universes / universities university`;

const placeOf: ReadonlyMap<string, readonly [line: number, side: number]> = new Map(
  unlike
    .split('\n')
    .flatMap((line, i) =>
      line.split(' / ').flatMap((words, side) => words.split(' ').map((word) => [word, [i, side]] as const)),
    ),
);

/** Whether a word has such another one. */
export function hasUnlike(word: string): boolean {
  return placeOf.has(word);
}

/** Whether two words of one stem are of different things: `office` and `officer`. */
export function areUnlike(a: string, b: string): boolean {
  const [one, other] = [placeOf.get(a), placeOf.get(b)];
  return one !== undefined && other !== undefined && one[0] === other[0] && one[1] !== other[1];
}
