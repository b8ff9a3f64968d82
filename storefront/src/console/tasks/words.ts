import type { Task } from '../types.ts'

type CountName = {
  [Name in keyof Task]-?: Task[Name] extends number ? Name : never
}[keyof Task]

/** What the counts of a task mean, which each kind of task uses for its own. */
interface Words {
  /** Shown even where it is 0. */
  readonly main: readonly (readonly [CountName, string])[]
  /** Shown where there are any. */
  readonly others: readonly (readonly [CountName, string])[]
  /** What the file of what failed is called. */
  readonly rejects: string
}

const IMPORT: Words = {
  main: [
    ['created', 'created'],
    ['updated', 'updated'],
  ],
  others: [
    ['unchanged', 'unchanged'],
    ['rejected', 'rejected'],
    ['removed', 'offers removed'],
    ['hidden', 'hidden'],
    ['deleted', 'deleted'],
  ],
  rejects: 'the rejected rows',
}

const WORDS: ReadonlyMap<string, Words> = new Map([
  ['import', IMPORT],
  ['export', { main: [['processed', 'exported']], others: [], rejects: 'what was not exported' }],
  [
    'update',
    {
      main: [['updated', 'changed']],
      others: [
        ['unchanged', 'left as they are'],
        ['rejected', 'refused'],
      ],
      rejects: 'what was refused',
    },
  ],
  [
    'delete',
    {
      main: [['deleted', 'deleted']],
      others: [
        ['unchanged', 'left as they are'],
        ['rejected', 'refused'],
      ],
      rejects: 'what was refused',
    },
  ],
  [
    'pictures',
    {
      main: [['updated', 'fetched']],
      others: [
        ['unchanged', 'kept before'],
        ['rejected', 'did not come'],
      ],
      rejects: 'what did not come',
    },
  ],
  ['move', { main: [['processed', 'copied']], others: [], rejects: 'what was refused' }],
])

const wordsOf = ({ sourceType }: Pick<Task, 'sourceType'>): Words => WORDS.get(sourceType) ?? IMPORT

/** What a task did, in the words of its kind. */
export function countsOf(task: Task): { readonly label: string; readonly count: number }[] {
  const { main, others } = wordsOf(task)
  const shown = [...main, ...others.filter(([name]) => task[name] > 0)]
  return shown.map(([name, label]) => ({ label, count: task[name] }))
}

/** What the file of what a task did not do is called. */
export const rejectsOf = (task: Pick<Task, 'sourceType'>): string => wordsOf(task).rejects

const TITLES: ReadonlyMap<string, string> = new Map([
  ['import', 'Import'],
  ['export', 'Export'],
  ['update', 'Change'],
  ['delete', 'Deletion'],
  ['pictures', 'Pictures'],
  ['move', 'Move'],
])

/** What a task is, as `Import · drills.csv`. */
export const titleOf = ({ sourceType, source }: Pick<Task, 'sourceType' | 'source'>): string =>
  `${TITLES.get(sourceType) ?? sourceType} · ${source}`
