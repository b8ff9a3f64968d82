import { expect, test } from 'vitest'
import { countsOf, rejectsOf, titleOf } from '../../../storefront/src/console/tasks/words.ts'

type Task = Parameters<typeof countsOf>[0]

const task = (sourceType: string, counts: Partial<Task>) =>
  ({
    ...{ sourceType, processed: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 },
    ...{ removed: 0, hidden: 0, deleted: 0 },
    ...counts,
  }) as Task

const said = (one: Task) => countsOf(one).map(({ label, count }) => `${count} ${label}`)

test('each kind of task has its own labels for counts', () => {
  expect(said(task('import', { created: 3, hidden: 2, processed: 5 }))).toEqual([
    '3 Created',
    '0 Updated',
    '2 Hidden',
  ])
  expect(said(task('export', { processed: 5000 }))).toEqual(['5000 Exported'])
  expect(said(task('update', { processed: 3, updated: 2, unchanged: 1 }))).toEqual([
    '2 Updated',
    '1 Unchanged',
  ])
  expect(said(task('delete', { processed: 2, deleted: 2 }))).toEqual(['2 Deleted'])
  expect(said(task('pictures', { updated: 7, rejected: 1 }))).toEqual(['7 Downloaded', '1 Failed'])
  expect(said(task('move', { processed: 40 }))).toEqual(['40 Copied'])
  expect(rejectsOf({ sourceType: 'pictures' })).toBe('failed images')
})

test('an unknown kind is shown by its name', () => {
  expect(titleOf({ sourceType: 'export', source: 'csv: demo' })).toBe('Export · csv: demo')
  expect(titleOf({ sourceType: 'constructor', source: 'x' })).toBe('constructor · x')
  expect(said(task('constructor', {}))).toEqual(['0 Created', '0 Updated'])
})
