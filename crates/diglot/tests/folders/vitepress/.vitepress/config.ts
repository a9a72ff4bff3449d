export default { title: "A VitePress" }
