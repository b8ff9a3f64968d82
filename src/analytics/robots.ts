const ROBOT =
  /bot|crawl|spider|slurp|archiver|headless|lighthouse|pingdom|uptime|monitoring|externalhit|preview/i

/** A brand of phones whose name contains `bot`. */
const TELEPHONE = /cubot/gi

/** Whether a User-Agent belongs to a bot. */
export const isRobot = (agent: string | null | undefined): boolean =>
  agent ? ROBOT.test(agent.replace(TELEPHONE, '')) : false
