import type { ContentType, Platform } from '@watchdesk/contract/enums'
import { sql } from 'kysely'
import { digestOf } from '../db/checksum.ts'
import type { SystemDb } from '../db/open.ts'
import { type Dice, daysAgo } from './demo-data.ts'

/** What surrounds a claim. Everything here is fictional. */
const FRAMES = {
  uk: {
    openings: ['Увага!', 'Щойно написали:', 'Мовчать усі новини.', 'Друзі, це важливо.', 'Не вірите?', 'Терміново.'],
    places: ['Полтаві', 'Вінниці', 'Ужгороді', 'Чернігові', 'Миколаєві', 'Житомирі', 'Сумах', 'Рівному', 'Луцьку'],
    sources: ['Так каже знайома з міської ради.', 'Сусід бачив це на власні очі.', 'Документ уже в закритих чатах.'],
    endings: ['Передайте рідним, поки не видалили.', 'Робіть висновки самі.', 'Хто за це відповість?'],
  },
  ru: {
    openings: ['Внимание!', 'Только что прислали:', 'Об этом молчат.', 'Друзья, это важно.', 'Не верите?', 'Срочно.'],
    places: ['Полтаве', 'Виннице', 'Одессе', 'Чернигове', 'Николаеве', 'Житомире', 'Харькове', 'Запорожье', 'Днепре'],
    sources: ['Так говорит подруга из горсовета.', 'Сосед видел это своими глазами.', 'Документ уже в закрытых чатах.'],
    endings: ['Перешлите близким, пока не удалили.', 'Делайте выводы сами.', 'Кто за это ответит?'],
  },
  en: {
    openings: ['Warning!', 'Just received this:', 'The media stay silent.', 'Friends, read this.', 'Urgent.'],
    places: ['Riga', 'Tartu', 'Gdansk', 'Kaunas', 'Brno', 'Graz', 'Malmo', 'Ghent', 'Bristol'],
    sources: ['A friend in the town hall confirms it.', 'My neighbour saw it.', 'The document is in private chats.'],
    endings: ['Share before it is deleted.', 'Draw your own conclusions.', 'Who will answer for this?'],
  },
}

/** A paragraph for each narrative: the same claims in each language, worded differently. */
export const NARRATIVES = `
uk Банки в {place} з понеділка видаватимуть готівкою не більше {number} гривень на день.
uk У банкоматах {number} відділень закінчилися гроші, у {place} стоять черги від світанку.
uk Усі вклади понад {number} тисяч заморозять, касирка в {place} уже підписала папір.
ru Банки в {place} с понедельника будут выдавать наличными не больше {number} гривен в день.
ru В банкоматах {number} отделений кончились деньги, в {place} очереди стоят с рассвета.
ru Все вклады больше {number} тысяч заморозят, кассирша в {place} уже подписала бумагу.
en Banks in {place} will pay out no more than {number} euros in cash a day from Monday.
en Cash machines of {number} branches are empty and {place} has been queueing since dawn.
en Every deposit above {number} thousand will be frozen, a cashier in {place} signed the paper.

uk Після щеплення в школі у {place} {number} дітей потрапили до лікарні, а лікарям заборонили говорити.
uk Вакцину з партії номер {number} привезли до {place} без холодильника.
uk У поліклініці в {place} за щеплення лікарям платять по {number} доларів.
ru После прививки в школе в {place} {number} детей попали в больницу, а врачам запретили говорить.
ru Вакцину из партии номер {number} привезли в {place} без холодильника.
ru В поликлинике в {place} за прививку врачам платят по {number} долларов.
en After the jab at a school in {place} {number} children are in hospital and doctors may not speak.
en Vaccine batch number {number} reached {place} without any refrigeration.
en A clinic in {place} pays its doctors {number} dollars for each vaccination.

uk На виборах у {place} бюлетені з {number} дільниць викинули на смітник за школою.
uk У списках виборців {place} знайшли {number} померлих, і всі вони проголосували.
uk Комісія в {place} рахувала голоси без світла {number} хвилин.
ru На выборах в {place} бюллетени с {number} участков выбросили на свалку за школой.
ru В списках избирателей в {place} нашли {number} умерших, и все они проголосовали.
ru Комиссия в {place} считала голоса без света {number} минут.
en Ballots from {number} polling stations in {place} were dumped behind a school.
en The electoral roll of {place} lists {number} dead people and every one of them voted.
en The commission in {place} counted votes in the dark for {number} minutes.

uk Електрику в {place} вимикатимуть на {number} годин щодня до самої весни.
uk Підстанцію біля {place} продали закордонній фірмі за {number} мільйонів, тому й темно.
uk Генератори, які подарували лікарням у {place}, стоять на складі: нарахували {number} штук.
ru Электричество в {place} будут отключать на {number} часов каждый день до самой весны.
ru Подстанцию возле города продали иностранной фирме за {number} миллионов, поэтому в {place} темно.
ru Генераторы, которые подарили больницам в {place}, стоят на складе: насчитали {number} штук.
en Power in {place} will be cut for {number} hours a day until spring.
en The substation near {place} was sold to a foreign company for {number} million, hence the blackout.
en Generators donated to hospitals in {place} sit in a warehouse, {number} of them were counted.

uk Вода з крана в {place} отруєна, вміст хлору перевищено у {number} разів.
uk На водоканалі в {place} звільнили {number} лаборантів, бо вони відмовилися підробляти аналізи.
uk У річці під {place} спливла мертва риба, {number} кілограмів за ніч.
ru Вода из крана в {place} отравлена, содержание хлора превышено в {number} раз.
ru На водоканале в {place} уволили {number} лаборантов, потому что они отказались подделывать анализы.
ru В реке под городом всплыла мёртвая рыба, {number} килограммов за ночь, в {place} молчат.
en Tap water in {place} is poisoned, chlorine is {number} times above the limit.
en The waterworks of {place} dismissed {number} lab assistants who refused to forge samples.
en Dead fish came up in the river by {place}, {number} kilos in one night.

uk Переселенцям у {place} дають квартири без черги, уже роздали {number} ключів.
uk У гуртожитку {place} приїжджі отримують по {number} тисяч на місяць і нічого не роблять.
uk Дитячий садок у {place} закрили для місцевих, {number} місць віддали новоприбулим.
ru Переселенцам в {place} дают квартиры без очереди, уже раздали {number} ключей.
ru В общежитии в {place} приезжие получают по {number} тысяч в месяц и ничего не делают.
ru Детский сад в {place} закрыли для местных, {number} мест отдали новоприбывшим.
en Newcomers in {place} get flats without waiting, {number} keys were handed out already.
en In a hostel in {place} strangers receive {number} hundred a month for doing nothing.
en A kindergarten in {place} closed to locals and gave {number} places to arrivals.

uk Зерно з елеватора під {place} вивезли ночами, {number} вагонів без документів.
uk Хліб у {place} подорожчає на {number} відсотків, бо врожай продали наперед.
uk Фермерам біля {place} винні за {number} тонн пшениці, а борошно везуть з-за кордону.
ru Зерно с элеватора вывезли ночами, {number} вагонов без документов, в {place} это видели.
ru Хлеб в {place} подорожает на {number} процентов, потому что урожай продали заранее.
ru Фермерам в {place} должны за {number} тонн пшеницы, а муку везут из-за границы.
en Grain left the elevator near {place} at night, {number} wagons without papers.
en Bread in {place} will cost {number} percent more because the harvest was sold in advance.
en Farmers around {place} are owed for {number} tonnes of wheat while flour is imported.

uk Міст у {place} закрили через тріщини, а ремонт за {number} мільйонів існує лише на папері.
uk Трамваї в {place} спишуть, замість них купили {number} старих автобусів з Європи.
uk Проїзд у {place} коштуватиме {number} гривень, проїзні скасують з нового року.
ru Мост в {place} закрыли из-за трещин, а ремонт за {number} миллионов есть только на бумаге.
ru Трамваи в {place} спишут, вместо них купили {number} старых автобусов из Европы.
ru Проезд в {place} будет стоить {number} гривен, проездные отменят с нового года.
en The bridge in {place} is closed for cracks and a repair worth {number} million exists on paper only.
en Trams in {place} will be scrapped and replaced by {number} second-hand buses.
en A ticket in {place} will cost {number} crowns and season passes end with the new year.`
  .trim()
  .split('\n\n')
  .map((paragraph) => paragraph.split('\n'))

const LANGUAGES = ['uk', 'uk', 'ru', 'en'] as const
const PLATFORMS: Platform[] = ['TELEGRAM', 'TELEGRAM', 'FACEBOOK', 'VK', 'TWITTER', 'TIKTOK']
const CONTENT_TYPES: ContentType[] = ['POST', 'POST', 'MESSAGE', 'COMMENT', 'REPOST']

const STORIES_EACH = 60
const OLDEST_DAYS = 75

export function makeStories(dice: Dice) {
  return NARRATIVES.flatMap((claims, index) => {
    const texts = new Set<string>()
    while (texts.size < STORIES_EACH) texts.add(composeStory(dice, claims))
    return [...texts].map((story, number) => {
      const [platform, content_type] = [dice.pick(PLATFORMS), dice.pick(CONTENT_TYPES)]
      return {
        narrative_id: index + 1,
        message_composite_id: `${platform}:${content_type}:${1000 * (index + 1) + number}`.toLowerCase(),
        story,
        sentiment_score: dice.chance(0.2) ? null : -dice.below(100) / 100,
        platform,
        content_type,
      }
    })
  })
}

function composeStory(dice: Dice, claims: string[]) {
  const language = dice.pick(LANGUAGES)
  const { openings, places, sources, endings } = FRAMES[language]
  const claim = dice.pick(claims.filter((line) => line.startsWith(language))).slice(language.length + 1)
  const statement = claim.replace('{place}', dice.pick(places)).replace('{number}', String(2 + dice.below(97)))
  return `${dice.pick(openings)} ${statement} ${dice.pick(sources)} ${dice.pick(endings)}`
}

/** With the same digest as an import, so that importing them again changes nothing. */
export async function insertStories(trx: SystemDb, stories: ReturnType<typeof makeStories>) {
  await trx
    .insertInto('narratives')
    .values(NARRATIVES.map((_, index) => ({ id: index + 1, created_by: null })))
    .execute()
  const rows = stories.map((story, index) => ({
    ...story,
    created_at: daysAgo(OLDEST_DAYS * (1 - (index + 1) / stories.length)),
    digest: digestOf(sql`${story.message_composite_id}::text`, sql`${story.story}::text`),
  }))
  await trx.insertInto('stories').values(rows).execute()
}
