import type { Task } from '../types.ts'

/** What each status is called. */
export const STATUSES: Readonly<Record<Task['status'], string>> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Needs confirmation',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

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
    ['created', 'Created'],
    ['updated', 'Updated'],
  ],
  others: [
    ['unchanged', 'Unchanged'],
    ['rejected', 'Rejected'],
    ['removed', 'Offers removed'],
    ['hidden', 'Hidden'],
    ['deleted', 'Deleted'],
  ],
  rejects: 'rejected rows',
}

const WORDS: ReadonlyMap<string, Words> = new Map([
  ['import', IMPORT],
  ['export', { main: [['processed', 'Exported']], others: [], rejects: 'skipped products' }],
  [
    'update',
    {
      main: [['updated', 'Updated']],
      others: [
        ['unchanged', 'Unchanged'],
        ['rejected', 'Rejected'],
      ],
      rejects: 'rejected products',
    },
  ],
  [
    'delete',
    {
      main: [['deleted', 'Deleted']],
      others: [
        ['unchanged', 'Unchanged'],
        ['rejected', 'Rejected'],
      ],
      rejects: 'rejected products',
    },
  ],
  [
    'pictures',
    {
      main: [['updated', 'Downloaded']],
      others: [
        ['unchanged', 'Already stored'],
        ['rejected', 'Failed'],
      ],
      rejects: 'failed images',
    },
  ],
  ['move', { main: [['processed', 'Copied']], others: [], rejects: 'rejected products' }],
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
  ['update', 'Bulk update'],
  ['delete', 'Bulk delete'],
  ['pictures', 'Image download'],
  ['move', 'Catalog move'],
])

/** What a task is, as `Import · drills.csv`. */
export const titleOf = ({ sourceType, source }: Pick<Task, 'sourceType' | 'source'>): string =>
  `${TITLES.get(sourceType) ?? sourceType} · ${source}`
