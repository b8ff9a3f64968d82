/** Prints the home of the JDK that the embedded engine would use. */
import { findJdks, thisMachine, usableJdk } from '../../src/engine/machine.ts'

const jdk = usableJdk(await findJdks(thisMachine()))
if (jdk === undefined) throw new Error('no JDK 21 or newer found')
console.log(jdk.home)
