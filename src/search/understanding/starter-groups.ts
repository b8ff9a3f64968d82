/**
 * The starter set, one group per line. Words of a group are synonyms of each other. With `=>`, the
 * words before it also find those after it, but not the other way around.
 */
export const STARTER_GROUPS = `
laptop, notebook
ultrabook => notebook, laptop
chromebook => notebook, laptop
pc => computer, desktop
computer => pc, notebook, laptop, desktop, workstation
tv, television
flat screen tv => television, flat tv, lcd tv, led tv
flat screen => monitor, display
monitor, display
screen => monitor, display
hard drive, hard disk, hdd
hard drive => ssd, solid state drive
ssd, solid state drive
usb stick, usb flash drive, flash drive, thumb drive, pendrive, memory stick
earphones, earbuds, headphones
headphones, headset
head phones, headphones
cell phone, mobile phone, smartphone
phone => mobile phone, smartphone, telephone
charger => power adapter, charging
power bank, external battery
power supply, power adapter
memory card, flash card
ram, memory module
cpu, processor
mainboard, motherboard
graphics card, video card, graphic card
gpu => graphics card
sound card, audio card
network card, networking card, network adapter, network interface card
psu => power supply
sd card => memory card
loudspeaker, speaker
dvd burner, dvd writer => optical disc drive, dvd drive
beamer => projector
power strip => surge protector, power extension
extension cord => power extension
power cord, power cable, power lead
barcode scanner, barcode reader, bar code reader
docking station, port replicator
printer cartridge => ink cartridge, toner cartridge
printer paper, copy paper, printing paper
label maker, label printer
label maker tape => label tape, label making tape
mouse mat, mouse pad
coffee machine, coffee maker
shaver, razor
satnav => navigation system, navigator
game console, games console, gaming console
gamepad, game controller
tablet pc => tablet
cellphone => mobile phone, smartphone
photocopier => multifunctional, copier
hairdryer, hair dryer
torch, flashlight
allen key, hex key
button cell, coin cell
video camera, camcorder
webcam, web camera
photo camera => digital camera
printer ink, ink cartridge
toner, toner cartridge
all in one printer, multifunction printer, multifunctional
copier => multifunctional
wifi, wi-fi, wireless lan, wlan
ethernet cable, network cable, patch cable, lan cable
ethernet => network, patch
lan => network, ethernet
switch hub => network switch
ups, uninterruptible power supply
lamp => bulb, light, luminaire, tube, spot
light bulb, bulb, lamp
lightbulb => bulb, lamp
light => lamp, luminaire
fluorescent => tube
drill => drill driver
screw => bolt
screwdriver => driver
cordless screwdriver => drill driver, impact driver
gloves, glove
hand protection => glove
couch, sofa
fridge, refrigerator
hoover, vacuum cleaner
backpack, rucksack
bag => case, sleeve
gray, grey
aluminum, aluminium
color, colour
fiber, fibre
stainless => stainless steel
inox => stainless steel
galvanized, zinc plated
din 933 => hex bolt
hex bolt, hexagon bolt, hex cap screw, hex head bolt
ball bearing, deep groove ball bearing
klapprechner => notebook
rechner => computer, pc, notebook
drucker => printer
etikettendrucker => label printer
laserdrucker => laser printer
bildschirm => monitor, display
tastatur => keyboard
maus => mouse
kabel => cable
netzwerkkabel, patchkabel => patch cable, network cable
glasfaserkabel => fiber patch cable
lwl => fiber
ladegerat => charger
akku => battery, rechargeable battery
batterie => battery
festplatte => hard drive, hard disk, ssd
speicherkarte => memory card
speicher => memory
kopfhorer => headphones
lautsprecher => speaker
kamera => camera
fernseher => tv, television
tasche => bag, case
hulle => case, cover, sleeve
rucksack => backpack
akkuschrauber => cordless drill, drill driver, impact driver
akkubohrschrauber => drill driver
bohrmaschine => drill
bohrer => drill
schlagbohrmaschine => hammer drill
schlagschrauber => impact driver
sechskantschraube => hex bolt
schraube => bolt, screw
bolzen => bolt
mutter => nut
kugellager => ball bearing, deep groove ball bearing
kegelrollenlager => tapered roller bearing
lager => bearing
gluhbirne => bulb, lamp
gluhlampe => bulb, lamp
leuchtmittel => bulb, lamp, spot, tube
lampe => lamp, bulb
leuchtstoffrohre => tube
rohre => tube
strahler => spot
hallenstrahler => high bay
handschuh => glove
arbeitshandschuh => glove, assembly glove
schutzhandschuh => glove
winterhandschuh => winter glove
schnittschutz => cut-resistant
farbe => color
schwarz => black
weiss => white
blau => blue
rot => red
grun => green
gelb => yellow
grau => gray, grey
silber => silver
edelstahl => stainless steel
verzinkt => galvanized, zinc plated
netzwerk => network, networking, ethernet
netzteil => power supply, power adapter
prozessor => processor
hauptplatine => motherboard
grafikkarte => graphics card, video card
netzwerkkarte => network card, networking card
arbeitsspeicher => memory module
steckdosenleiste => power strip, surge protector
dockingstation => docking station
kaffeemaschine => coffee maker, coffee machine
staubsauger => vacuum cleaner
kuhlschrank => refrigerator
tintenstrahldrucker => inkjet printer
fotopapier => photo paper
kopierpapier => copy paper, printing paper
papier => paper
taschenlampe => flashlight
schraubenschlussel => wrench, spanner
zange => pliers
helm => helmet
schutzbrille => safety glasses
kabelbinder => cable tie
lufter => fan
gehause => case, chassis
tintenpatrone, druckerpatrone => ink cartridge
patrone => cartridge
buro => office
stuhl => chair
schreibtisch => desk
taschenrechner => calculator
stativ => tripod
`
