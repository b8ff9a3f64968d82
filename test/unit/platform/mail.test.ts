import { describe, expect, test } from 'vitest'
import { isAddress, senderAt } from '../../../src/platform/mail.ts'

describe('an email address', () => {
  test.each([
    ['ada@shop.example', true],
    ["o'brien+test@mail.shop.example", true],
    ['jürgen@müller.example', true],
    ['ada', false],
    ['ada@localhost', false],
    ['ada@shop.example,eve@shop.example', false],
    ['ada@shop.example eve@shop.example', false],
    ['ada@shop.example\r\nBcc: eve@shop.example', false],
    ['<ada@shop.example>', false],
    ['a@b@shop.example', false],
    [`${'a'.repeat(250)}@b.example`, false],
  ])('%j: %s', (text, expected) => {
    expect(isAddress(text)).toBe(expected)
  })
})

test.each([
  ['https://shop.example/search', 'aisle@shop.example'],
  ['http://127.0.0.1:3000', 'aisle@localhost'],
  ['http://[::1]:3000', 'aisle@localhost'],
])('the sender at %s is %s', (url, sender) => {
  expect(senderAt(url)).toBe(sender)
})
