/** The first match counts: most browsers claim to be Chrome and Safari too. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:OPR|OPiOS|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

/** Phones and tablets also name the system that theirs descends from. */
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser and system, for people who want to recognize their sessions. Never the text itself, which anybody can choose. */
export function deviceOf(user_agent: string | null) {
  const nameIn = (names: typeof SYSTEMS) => names.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined)
  return known.join(' on ') || 'Unknown device'
}
