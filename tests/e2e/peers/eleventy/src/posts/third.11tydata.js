export default { permalink: '/crossings/{{ page.fileSlug }}/' };
