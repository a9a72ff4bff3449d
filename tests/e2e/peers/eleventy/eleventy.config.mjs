export default function (config) {
  config.addPassthroughCopy("src/mark.svg");
  config.ignores.add("src/ignored/**");
  return { dir: { input: "src", output: "_site" } };
}
