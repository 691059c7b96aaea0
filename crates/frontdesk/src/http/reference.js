// Filters the operations and shapes of the reference by the words in the search field.
const field = document.querySelector('input[type=search]')
const entries = [...document.querySelectorAll('main details')].map((entry) => ({
  entry,
  text: entry.textContent.toLowerCase(),
}))
const headings = [...document.querySelectorAll('main h2')]

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { entry, text } of entries) entry.hidden = !words.every((word) => text.includes(word))
  for (const heading of headings) {
    let next = heading.nextElementSibling
    let shown = false
    for (; next && next.tagName !== 'H2'; next = next.nextElementSibling) {
      if (next.tagName === 'DETAILS' && !next.hidden) shown = true
    }
    heading.hidden = !shown
  }
}

field.addEventListener('input', filter)
field.hidden = false
