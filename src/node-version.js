// Runs before everything else on whatever Node there is, so it is plain JavaScript.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Aisle needs Node 24 or newer; this is ${process.versions.node}. Run "npm ci" (it brings Node 24 on Linux x64 and arm64) or install Node 24.`,
  )
  process.exit(1)
}
