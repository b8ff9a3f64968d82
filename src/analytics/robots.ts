const ROBOT =
  /bot|crawl|spider|slurp|archiver|headless|lighthouse|pingdom|uptime|monitoring|externalhit|preview/i

/** A make of telephones. */
const TELEPHONE = /cubot/gi

/** Whether a User-Agent is that of a program which visits pages by itself. */
export const isRobot = (agent: string | null | undefined): boolean =>
  agent ? ROBOT.test(agent.replace(TELEPHONE, '')) : false
