import { expect, test } from 'vitest'
import { moveOf, withAsked } from '../../../storefront/src/console/catalogs/moves.ts'

type Task = Parameters<typeof moveOf>[1][number]

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, source: 'tools', sourceType: 'move', status: 'running', completed: false },
  ...{ dismissed: false, message: 'Copying.', percentCompleted: 40 },
  ...more,
})
const over = (status: Task['status'], more: Partial<Task> = {}) => ({
  ...{ status, completed: true, ...more },
})

test('a catalog is moving while its latest task runs', () => {
  const going = { percent: 40, message: 'Copying.', isOver: false }
  expect(moveOf('tools', [task('b'), task('a', over('failed'))])).toEqual(going)
  expect(moveOf('tools', [task('a', over('completed'))])).toBeUndefined()
  expect(moveOf('tools', [task('a', over('cancelled'))])).toBeUndefined()
  expect(moveOf('tools', [task('a', { source: 'screws' })])).toBeUndefined()
  expect(moveOf('tools', [task('a', { sourceType: 'export' })])).toBeUndefined()
})

test('a failed move is shown until its task is dismissed', () => {
  const tasks = [task('a', over('failed', { message: 'No room.' }))]
  expect(moveOf('tools', tasks)).toEqual({ percent: 40, message: 'No room.', isOver: true })
  expect(moveOf('tools', [{ ...tasks[0]!, dismissed: true }])).toBeUndefined()
})

test('a requested move is shown as starting until there is a new task', () => {
  const before = [task('a', over('failed'))]
  const asked = withAsked(new Map(), 'tools', before)
  expect(moveOf('tools', before, asked)).toMatchObject({ percent: 0, isOver: false })
  expect(moveOf('tools', [], withAsked(new Map(), 'tools', []))).toMatchObject({ percent: 0 })
  expect(moveOf('tools', [task('b'), ...before], asked)).toMatchObject({ percent: 40 })
  expect(moveOf('screws', before, asked)).toBeUndefined()
})
