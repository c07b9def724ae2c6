import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDice } from '../../commands/demo-data.ts'
import { makeStories } from '../../commands/demo-stories.ts'
import { simplify } from '../../letters.ts'
import { lexicalVector } from './lexical.ts'

const golden: { text: string; bytes: string }[] = JSON.parse(
  readFileSync(new URL('./golden.json', import.meta.url), 'utf8'),
)
const CORPUS = makeStories(createDice(1)).map(({ story }) => story)
const vectors = CORPUS.map(lexicalVector)

function similarity(one: Float32Array, other: Float32Array) {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const between = (one: string, other: string) => similarity(lexicalVector(one), lexicalVector(other))

/** Which of the stories is nearest to a text. */
function nearest(text: string) {
  const vector = lexicalVector(text)
  const similarities = vectors.map((each) => similarity(vector, each))
  return similarities.indexOf(Math.max(...similarities))
}

/** The text as somebody else posts it: words missing, letters mistyped, shouted. */
function repost(text: string, seed: number) {
  const dice = createDice(seed)
  const words = text.split(' ')
  const count = Math.ceil(words.length / 5)
  for (let dropped = 0; dropped < count; dropped += 1) words.splice(dice.below(words.length), 1)
  const typed = words.map((word) => {
    if (word.length < 5 || !dice.chance(0.2)) return word
    const at = 1 + dice.below(word.length - 2)
    return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  })
  const all = typed.join(' ')
  return dice.chance(0.5) ? all.toUpperCase() : all.toLowerCase()
}

test('reposts with a fifth of the words dropped, typos and another case are found first in 99 of 100 cases', () => {
  const missed = CORPUS.filter((story, index) => nearest(repost(story, 100 + index)) !== index)
  expect(CORPUS.length).toBeGreaterThanOrEqual(400)
  expect(missed.length / CORPUS.length).toBeLessThanOrEqual(0.01)
})

test.each([
  [
    'Банки з понеділка видаватимуть готівку лише за паспортом, повідомляє міністерство.',
    'Банки с понедельника будут выдавать наличные только по паспорту, сообщает министерство.',
  ],
  ['Вода з крана отруєна, лабораторія підтвердила.', 'Вода из крана отравлена, лаборатория подтвердила.'],
  ['Міст через Дніпро закрили на ремонт до весни.', 'Мост через Днепр закрыли на ремонт до весны.'],
])('%s is nearer to its Russian telling than to anything unrelated', (ukrainian, russian) => {
  const unrelated = ['Футболісти здобули перемогу в останньому матчі сезону.', 'Рецепт борща от бабушки на выходные.']
  const related = between(ukrainian, russian)
  for (const other of unrelated) {
    expect(related).toBeGreaterThan(between(ukrainian, other) + 0.15)
    expect(related).toBeGreaterThan(between(russian, other) + 0.15)
  }
})

test('the stories of a narrative are more similar to each other than to those of others', () => {
  const stories = makeStories(createDice(2)).filter(({ story }) => /\p{Script=Latin}{4}/u.test(story))
  const all = stories.map(({ narrative_id, story }) => ({ narrative_id, vector: lexicalVector(story) }))
  const means = { same: mean(), other: mean() }
  for (const one of all) {
    for (const two of all) {
      if (one !== two)
        means[one.narrative_id === two.narrative_id ? 'same' : 'other'].add(similarity(one.vector, two.vector))
    }
  }
  expect(means.same.value()).toBeGreaterThan(means.other.value() * 1.3)
})

function mean() {
  let sum = 0
  let count = 0
  return {
    add(value: number) {
      sum += value
      count += 1
    },
    value: () => sum / count,
  }
}

test.each(golden)('the vector of $text is the same on every machine', ({ text, bytes }) => {
  const vector = lexicalVector(text)
  expect(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')).toBe(bytes)
})

test.each(['', '   ', '!!! … ???', '\u0301', '🙂', '\ud800'])(
  'a text without letters, %j, is similar to nothing',
  (text) => {
    const vector = lexicalVector(text)
    expect([vector.length, Math.hypot(...vector)]).toEqual([512, 0])
  },
)

test.each(['a', 'Їжак', '日本語のテキスト', 'نص عربي', '2026'])('any other text, as %j, has length 1', (text) => {
  expect(Math.hypot(...lexicalVector(text))).toBeCloseTo(1, 5)
})

test('a text of any length has length 1', () => {
  expect(Math.hypot(...lexicalVector('довго '.repeat(20_000)))).toBeCloseTo(1, 5)
})

test.each(['\u0301', '\u0301\u0323', 'a\u0301\u0323', '\ufdfa', '\ud83d\ude42', 'Σ\u0301', '가'])(
  'stories of 100,000 characters of %j are read as fast as others, and like short ones',
  (filling) => {
    for (let count = 0; count < 12; count += 1) simplify(filling.repeat(100_000 / filling.length))
    const long = `${'ы'.repeat(70)}${filling.repeat(500)}й`
    const words = long.normalize('NFKD').replace(/\p{M}/gu, '')
    expect(simplify(long)).toBe(simplify(words))
  },
)

test.each([
  ["П'ять об’єктів — «Їжак», Ґанок!", ' pat obektiv izhak ganok '],
  ['Ёлка, подъезд, йод и мыло', ' elka podezd iod i milo '],
  ['Crème BRÛLÉE, naïve café №5', ' creme brulee naive cafe no5 '],
  ['東京 2026', ' 東京 2026 '],
])('%s is read as %j', (text, simple) => {
  expect(simplify(text)).toBe(simple)
})
