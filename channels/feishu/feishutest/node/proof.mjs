// The vendor's own client has the conversation of ../testdata/conversation.json with the fake service, whose
// URL is the argument. What it needs of the service, the fake must do as the service does it.
import { readFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import * as lark from '@larksuiteoapi/node-sdk'

const url = process.argv[2]
const appId = 'cli_0123456789abcdef'
const appSecret = 'fake-app-secret'
const chat = 'oc_p_anna'
const talk = JSON.parse(readFileSync(new URL('../testdata/conversation.json', import.meta.url)))
const quiet = () => {}
const logger = { fatal: quiet, error: quiet, warn: quiet, info: quiet, debug: quiet, trace: quiet }

async function control(path, body) {
  const r = await fetch(url + '/control/' + path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
  assert.equal(r.status, 200, path)
  return r.json()
}

// heard gives what comes from the service, one after the other.
const heard = []
let wake = () => {}
async function hear() {
  const until = Date.now() + 60_000
  while (heard.length === 0) {
    assert.ok(Date.now() < until, 'nothing was heard')
    await new Promise((resolve) => { wake = resolve; setTimeout(resolve, 1000) })
  }
  return heard.shift()
}

const shown = { words: '' }
const handlers = {
  'im.message.receive_v1': async (data) => { heard.push(data); wake() },
  'card.action.trigger': async (data) => {
    heard.push(data)
    wake()
    return { toast: { type: 'info', content: shown.words } }
  },
}

const card = (text, label) => JSON.stringify({
  schema: '2.0',
  config: { update_multi: true },
  body: {
    elements: [{ tag: 'markdown', content: text }].concat(label ? [{
      tag: 'button', text: { tag: 'plain_text', content: label }, type: 'primary',
      behaviors: [{ type: 'callback', value: { choice: label.toLowerCase(), chat } }],
    }] : []),
  },
})

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==', 'base64')

// tokens is where the client keeps them. It does not fetch a new one when the service refuses the old one.
const kept = new Map()
const tokens = { get: async (key) => kept.get(key), set: async (key, value) => { kept.set(key, value); return true } }

async function main() {
  const client = new lark.Client({ appId, appSecret, domain: url, logger, cache: tokens })
  const dispatcher = new lark.EventDispatcher({ logger }).register(handlers)
  const ws = new lark.WSClient({ appId, appSecret, domain: url, logger })
  ws.start({ eventDispatcher: dispatcher })
  await control('wait?timeout=60s')

  let last = ''
  let mine = ''
  const sent = (answer) => {
    assert.equal(answer.code, 0, JSON.stringify(answer))
    mine = answer.data.message_id
  }
  const reply = async (msg_type, content) => sent(await client.im.v1.message.reply({ path: { message_id: last }, data: { msg_type, content } }))
  const does = {
    reply: (step) => reply('interactive', card(step.text)),
    ask: (step) => reply('interactive', card(step.text, step.label)),
    patch: async (step) => assert.equal((await client.im.v1.message.patch({ path: { message_id: mine }, data: { content: card(step.text) } })).code, 0),
    image: async () => {
      const { image_key } = await client.im.v1.image.create({ data: { image_type: 'message', image: png } })
      await reply('image', JSON.stringify({ image_key }))
    },
    expire: async (step) => {
      await control('expire', { Status: step.status })
      const refused = await reply('text', JSON.stringify({ text: 'with the old token' })).then(() => 'taken', (err) => err.response?.data?.code ?? err.message)
      assert.match(String(refused), /99991663/)
      kept.clear()
    },
    drop: async () => {
      await control('drop', {})
      await control('wait?timeout=60s')
    },
    press: async (step) => {
      shown.words = step.text
      assert.deepEqual(await control('press', { From: 'ou_anna', Chat: chat, Message: mine, Label: step.label }), { pressed: true })
      const event = await hear()
      assert.equal(event.action.value.choice, step.hears)
      assert.equal(event.operator.open_id, 'ou_anna')
      assert.equal(event.context.open_message_id, mine)
    },
  }
  for (const step of talk.steps) {
    if (step.fragment) await control('fragment', { Bytes: step.fragment })
    if (step.say) {
      await control('say', step.say)
      const event = await hear()
      assert.equal(JSON.parse(event.message.content).text, step.hears)
      assert.equal(event.sender.sender_id.open_id, step.say.from)
      last = event.message.message_id
      continue
    }
    await does[step.do](step)
  }

  await settled()
  await resources(client)
  await webhooks()
  ws.close()
}

// settled looks at what came of the conversation.
async function settled() {
  const all = (await control('chats'))[chat].filter((m) => m.bot)
  const seen = all.map((m) => `${m.type}: ${m.text}` + (m.buttons ?? []).map((b) => ` [${b.label}]`).join(''))
  assert.deepEqual(seen, talk.chat)
  const told = talk.steps.filter((s) => s.hears).length
  let acks = []
  for (const until = Date.now() + 60_000; acks.length < told && Date.now() < until;) acks = await control('acks')
  assert.equal(acks.length, told)
  for (const a of acks) assert.ok(a.code === 200 && !a.late, JSON.stringify(a))
  assert.ok(acks.some((a) => (a.data ?? '').includes('noted')), 'the words of a press')
  for (const bad of ['bad frame', 'bad ack']) assert.deepEqual(await control('calls?method=' + encodeURIComponent(bad)) ?? [], [])
  assert.ok((await control('calls?method=ping')).length > 0, 'a ping')
}

// resources fetches a file that somebody sent.
async function resources(client) {
  await control('say', { from: 'ou_anna', file: { kind: '', name: 'a.txt', bytes: Buffer.from('remember the milk').toString('base64') } })
  const { message } = await hear()
  const file = await client.im.v1.messageResource.get({ path: { message_id: message.message_id, file_key: JSON.parse(message.content).file_key }, params: { type: 'file' } })
  const parts = []
  for await (const part of file.getReadableStream()) parts.push(part)
  assert.equal(Buffer.concat(parts).toString(), 'remember the milk')
}

// webhooks checks the signature and opens what is encrypted, as a bot does that is called.
async function webhooks() {
  const got = []
  const dispatcher = new lark.EventDispatcher({ encryptKey: 'fake-encrypt-key', verificationToken: 'fake-verify-token', logger })
    .register({ 'im.message.receive_v1': async (data) => { got.push(data); return 'taken' } })
  const call = await control('webhook', { from: 'ou_anna', text: 'by webhook' })
  const headers = Object.fromEntries(Object.entries(call.headers).map(([k, v]) => [k.toLowerCase(), v[0]]))
  const request = (h) => Object.assign(Object.create({ headers: h }), JSON.parse(call.body))
  assert.equal(await dispatcher.invoke(request(headers)), 'taken')
  assert.equal(JSON.parse(got[0].message.content).text, 'by webhook')
  assert.equal(await dispatcher.invoke(request({ ...headers, 'x-lark-signature': '0'.repeat(64) })), undefined)
  assert.equal(got.length, 1)
}

main().then(() => {
  console.log('the vendor\'s client has had the whole conversation with the fake service')
  process.exit(0)
}, (err) => {
  console.error(err.isAxiosError ? `${err.message}: ${JSON.stringify(err.response?.data)}` : err)
  process.exit(1)
})
