import { describe, expect, test } from 'vitest'
import { frameAddress } from './frame-address.ts'

const LINK = 'https://app.powerbi.com/view?r=abc'

describe('the address is taken from', () => {
  test.each([
    `<iframe src="${LINK}"></iframe>`,
    `  <iframe title="Reach" width="1140" height="541.25" src="${LINK}" frameborder="0" allowFullScreen="true"></iframe>\n`,
    `<iframe src='${LINK}'></iframe>`,
    `<iframe src=${LINK}></iframe>`,
    `<iframe src=${LINK} width=100>`,
    `<IFRAME SRC="${LINK}" />`,
    `<iframe\n\twidth="1"\n\tsrc\n=\n"${LINK}"\n>`,
    `<iframe/src="${LINK}"/>`,
    `<iframe src=" ${LINK} ">`,
    `<iframe title="a > b" data-src="https://evil.example/" src="${LINK}">`,
    `<iframe srcdoc="<p src='https://evil.example/'>" src="${LINK}">`,
    `<iframe src="${LINK}" src="https://evil.example/">`,
    `<div style="x"><iframe src="${LINK}"></iframe></div>`,
    `<iframe></iframe><iframe src="${LINK}"></iframe>`,
    `<iframe src="${LINK}"></iframe><iframe src="https://evil.example/"></iframe>`,
    `<iframe src="javascript:alert(1)"></iframe><iframe src="${LINK}"></iframe>`,
    `<iframe src="//app.powerbi.com/view?r=abc">`,
    `<iframe src="https&#58;//app.powerbi.com/view?r&#x3D;abc">`,
    `<iframe src="${LINK}"`,
  ])('%s', (text) => {
    expect(frameAddress(text)).toBe(LINK)
  })

  test('with its HTML entities decoded once', () => {
    expect(frameAddress(`<iframe src="https://bi.example/?a=1&amp;b=2&AMP;c=&quot;&#39;&amp;amp;">`)).toBe(
      `https://bi.example/?a=1&b=2&c="'&amp;`,
    )
    expect(frameAddress(`<iframe src="https://bi.example/?a=1&copy=2&#0;&#x110000;&hellip;">`)).toBe(
      'https://bi.example/?a=1&copy=2&#0;&#x110000;&hellip;',
    )
  })
})

describe('nothing is taken from', () => {
  test.each([
    '',
    LINK,
    '<iframe></iframe>',
    '<iframe src></iframe>',
    '<iframe src=""></iframe>',
    '<iframe srcdoc="<p>x</p>"></iframe>',
    `<iframe data-src="${LINK}"></iframe>`,
    `<iframes src="${LINK}">`,
    `<embed src="${LINK}">`,
    `iframe src="${LINK}"`,
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe src="java&#115;cript:alert(1)"></iframe>',
    '<iframe src="data:text/html,x"></iframe>',
    '<iframe src="/report"></iframe>',
    '<iframe src="reach"></iframe>',
    `<iframe title="src=${LINK}"></iframe>`,
    `<iframe title='unfinished src="${LINK}"`,
  ])('%s', (text) => {
    expect(frameAddress(text)).toBeUndefined()
  })
})

test.each([
  '<iframe '.repeat(20_000),
  `<iframe ${'a '.repeat(50_000)}`,
  `<iframe ${'"'.repeat(100_001)}`,
  `<iframe src${' '.repeat(100_000)}`,
])('a hostile text takes no time (%#)', (text) => {
  const started = performance.now()
  expect(frameAddress(text)).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(1000)
})
