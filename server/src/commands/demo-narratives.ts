/** Building blocks of the demo stories. Everything is fictional. */
export type Language = 'uk' | 'ru' | 'en'

type Texts = readonly [string, ...string[]]

type Frame = { openings: Texts; places: Texts; sources: Texts; endings: Texts }

export const FRAMES: Record<Language, Frame> = {
  uk: {
    openings: ['Увага!', 'Щойно написали:', 'Мовчать усі новини.', 'Друзі, це важливо.', 'Не вірите?', 'Терміново.'],
    places: ['Полтаві', 'Вінниці', 'Ужгороді', 'Чернігові', 'Миколаєві', 'Житомирі', 'Сумах', 'Рівному', 'Луцьку'],
    sources: [
      'Про це розповів водій маршрутки.',
      'Мій сусід бачив це на власні очі.',
      'Так каже знайома, яка працює в міській раді.',
      'Документ уже гуляє закритими чатами.',
      'Пенсіонерка записала все на телефон.',
      'Журналісти бояться про це питати.',
    ],
    endings: [
      'Передайте рідним, поки не видалили.',
      'Робіть висновки самі.',
      'Далі буде тільки гірше.',
      'Збережіть собі цей допис.',
      'Чому мовчить поліція?',
      'Хто за це відповість?',
    ],
  },
  ru: {
    openings: ['Внимание!', 'Только что прислали:', 'Об этом молчат.', 'Друзья, это важно.', 'Не верите?', 'Срочно.'],
    places: ['Полтаве', 'Виннице', 'Одессе', 'Чернигове', 'Николаеве', 'Житомире', 'Харькове', 'Запорожье', 'Днепре'],
    sources: [
      'Об этом рассказал водитель автобуса.',
      'Мой сосед видел это своими глазами.',
      'Так говорит подруга из горсовета.',
      'Документ уже ходит по закрытым чатам.',
      'Пенсионерка сняла всё на телефон.',
      'Журналисты боятся об этом спрашивать.',
    ],
    endings: [
      'Перешлите близким, пока не удалили.',
      'Делайте выводы сами.',
      'Дальше будет только хуже.',
      'Сохраните себе эту запись.',
      'Почему молчит полиция?',
      'Кто за это ответит?',
    ],
  },
  en: {
    openings: [
      'Warning!',
      'Just received this:',
      'The media stay silent.',
      'Friends, read this.',
      'Unbelievable.',
      'Urgent.',
    ],
    places: ['Riga', 'Tartu', 'Gdansk', 'Kaunas', 'Brno', 'Graz', 'Malmo', 'Ghent', 'Bristol'],
    sources: [
      'A bus driver told the whole story.',
      'My neighbour saw it with his own eyes.',
      'A friend in the town hall confirms it.',
      'The document is already in private chats.',
      'A pensioner filmed everything on her phone.',
      'Reporters are afraid to ask.',
    ],
    endings: [
      'Share before it is deleted.',
      'Draw your own conclusions.',
      'It will only get worse.',
      'Save this post.',
      'Why do the police say nothing?',
      'Who will answer for this?',
    ],
  },
}

/** One entry per narrative: the same claims in each language, worded differently. */
export const CLAIMS: readonly Record<Language, Texts>[] = [
  {
    uk: [
      'Банки в {place} з понеділка видаватимуть готівкою не більше {number} гривень на день.',
      'У банкоматах {number} відділень закінчилися гроші, у {place} стоять черги від світанку.',
      'Усі вклади понад {number} тисяч заморозять, касирка в {place} уже підписала папір.',
    ],
    ru: [
      'Банки в {place} с понедельника будут выдавать наличными не больше {number} гривен в день.',
      'В банкоматах {number} отделений кончились деньги, в {place} очереди стоят с рассвета.',
      'Все вклады больше {number} тысяч заморозят, кассирша в {place} уже подписала бумагу.',
    ],
    en: [
      'Banks in {place} will pay out no more than {number} euros in cash a day from Monday.',
      'Cash machines of {number} branches are empty and {place} has been queueing since dawn.',
      'Every deposit above {number} thousand will be frozen, a cashier in {place} signed the paper.',
    ],
  },
  {
    uk: [
      'Після щеплення в школі у {place} {number} дітей потрапили до лікарні, а лікарям заборонили говорити.',
      'Вакцину з партії номер {number} привезли до {place} без холодильника.',
      'У поліклініці в {place} за щеплення лікарям платять по {number} доларів.',
    ],
    ru: [
      'После прививки в школе в {place} {number} детей попали в больницу, а врачам запретили говорить.',
      'Вакцину из партии номер {number} привезли в {place} без холодильника.',
      'В поликлинике в {place} за прививку врачам платят по {number} долларов.',
    ],
    en: [
      'After the jab at a school in {place} {number} children are in hospital and doctors may not speak.',
      'Vaccine batch number {number} reached {place} without any refrigeration.',
      'A clinic in {place} pays its doctors {number} dollars for each vaccination.',
    ],
  },
  {
    uk: [
      'На виборах у {place} бюлетені з {number} дільниць викинули на смітник за школою.',
      'У списках виборців {place} знайшли {number} померлих, і всі вони проголосували.',
      'Комісія в {place} рахувала голоси без світла {number} хвилин.',
    ],
    ru: [
      'На выборах в {place} бюллетени с {number} участков выбросили на свалку за школой.',
      'В списках избирателей в {place} нашли {number} умерших, и все они проголосовали.',
      'Комиссия в {place} считала голоса без света {number} минут.',
    ],
    en: [
      'Ballots from {number} polling stations in {place} were dumped behind a school.',
      'The electoral roll of {place} lists {number} dead people and every one of them voted.',
      'The commission in {place} counted votes in the dark for {number} minutes.',
    ],
  },
  {
    uk: [
      'Електрику в {place} вимикатимуть на {number} годин щодня до самої весни.',
      'Підстанцію біля {place} продали закордонній фірмі за {number} мільйонів, тому й темно.',
      'Генератори, які подарували лікарням у {place}, стоять на складі: нарахували {number} штук.',
    ],
    ru: [
      'Электричество в {place} будут отключать на {number} часов каждый день до самой весны.',
      'Подстанцию возле города продали иностранной фирме за {number} миллионов, поэтому в {place} темно.',
      'Генераторы, которые подарили больницам в {place}, стоят на складе: насчитали {number} штук.',
    ],
    en: [
      'Power in {place} will be cut for {number} hours a day until spring.',
      'The substation near {place} was sold to a foreign company for {number} million, hence the blackout.',
      'Generators donated to hospitals in {place} sit in a warehouse, {number} of them were counted.',
    ],
  },
  {
    uk: [
      'Вода з крана в {place} отруєна, вміст хлору перевищено у {number} разів.',
      'На водоканалі в {place} звільнили {number} лаборантів, бо вони відмовилися підробляти аналізи.',
      'У річці під {place} спливла мертва риба, {number} кілограмів за ніч.',
    ],
    ru: [
      'Вода из крана в {place} отравлена, содержание хлора превышено в {number} раз.',
      'На водоканале в {place} уволили {number} лаборантов, потому что они отказались подделывать анализы.',
      'В реке под городом всплыла мёртвая рыба, {number} килограммов за ночь, в {place} молчат.',
    ],
    en: [
      'Tap water in {place} is poisoned, chlorine is {number} times above the limit.',
      'The waterworks of {place} dismissed {number} lab assistants who refused to forge samples.',
      'Dead fish came up in the river by {place}, {number} kilos in one night.',
    ],
  },
  {
    uk: [
      'Переселенцям у {place} дають квартири без черги, уже роздали {number} ключів.',
      'У гуртожитку {place} приїжджі отримують по {number} тисяч на місяць і нічого не роблять.',
      'Дитячий садок у {place} закрили для місцевих, {number} місць віддали новоприбулим.',
    ],
    ru: [
      'Переселенцам в {place} дают квартиры без очереди, уже раздали {number} ключей.',
      'В общежитии в {place} приезжие получают по {number} тысяч в месяц и ничего не делают.',
      'Детский сад в {place} закрыли для местных, {number} мест отдали новоприбывшим.',
    ],
    en: [
      'Newcomers in {place} get flats without waiting, {number} keys were handed out already.',
      'In a hostel in {place} strangers receive {number} hundred a month for doing nothing.',
      'A kindergarten in {place} closed to locals and gave {number} places to arrivals.',
    ],
  },
  {
    uk: [
      'Зерно з елеватора під {place} вивезли ночами, {number} вагонів без документів.',
      'Хліб у {place} подорожчає на {number} відсотків, бо врожай продали наперед.',
      'Фермерам біля {place} винні за {number} тонн пшениці, а борошно везуть з-за кордону.',
    ],
    ru: [
      'Зерно с элеватора вывезли ночами, {number} вагонов без документов, в {place} это видели.',
      'Хлеб в {place} подорожает на {number} процентов, потому что урожай продали заранее.',
      'Фермерам в {place} должны за {number} тонн пшеницы, а муку везут из-за границы.',
    ],
    en: [
      'Grain left the elevator near {place} at night, {number} wagons without papers.',
      'Bread in {place} will cost {number} percent more because the harvest was sold in advance.',
      'Farmers around {place} are owed for {number} tonnes of wheat while flour is imported.',
    ],
  },
  {
    uk: [
      'Міст у {place} закрили через тріщини, а ремонт за {number} мільйонів існує лише на папері.',
      'Трамваї в {place} спишуть, замість них купили {number} старих автобусів з Європи.',
      'Проїзд у {place} коштуватиме {number} гривень, проїзні скасують з нового року.',
    ],
    ru: [
      'Мост в {place} закрыли из-за трещин, а ремонт за {number} миллионов есть только на бумаге.',
      'Трамваи в {place} спишут, вместо них купили {number} старых автобусов из Европы.',
      'Проезд в {place} будет стоить {number} гривен, проездные отменят с нового года.',
    ],
    en: [
      'The bridge in {place} is closed for cracks and a repair worth {number} million exists on paper only.',
      'Trams in {place} will be scrapped and replaced by {number} second-hand buses.',
      'A ticket in {place} will cost {number} crowns and season passes end with the new year.',
    ],
  },
]
