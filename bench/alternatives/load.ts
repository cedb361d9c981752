/** A package installed beside this file (npm run bench:install). @throws where it is not */
export const loadAlternative = (name: string): Promise<unknown> => import(name);
