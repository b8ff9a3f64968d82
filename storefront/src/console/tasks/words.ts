import type { Task } from '../types.ts'

/** Labels of the statuses. */
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

/** Labels of a task's counts, which depend on the kind of task. */
interface Words {
  /** Shown even if 0. */
  readonly main: readonly (readonly [CountName, string])[]
  /** Shown unless 0. */
  readonly others: readonly (readonly [CountName, string])[]
  /** Label of the file of rejected entries. */
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

/** The counts of a task with their labels. */
export function countsOf(task: Task): { readonly label: string; readonly count: number }[] {
  const { main, others } = wordsOf(task)
  const shown = [...main, ...others.filter(([name]) => task[name] > 0)]
  return shown.map(([name, label]) => ({ label, count: task[name] }))
}

/** Label of a task's file of rejected entries. */
export const rejectsOf = (task: Pick<Task, 'sourceType'>): string => wordsOf(task).rejects

const TITLES: ReadonlyMap<string, string> = new Map([
  ['import', 'Import'],
  ['export', 'Export'],
  ['update', 'Bulk update'],
  ['delete', 'Bulk delete'],
  ['pictures', 'Image download'],
  ['move', 'Catalog move'],
])

/** The title of a task, such as `Import · drills.csv`. */
export const titleOf = ({ sourceType, source }: Pick<Task, 'sourceType' | 'source'>): string =>
  `${TITLES.get(sourceType) ?? sourceType} · ${source}`
