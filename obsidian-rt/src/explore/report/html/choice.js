for (const box of document.querySelectorAll(".pictures")) {
  const show = () => {
    const [x, y] = Array.from(box.querySelectorAll("select"), (choice) => choice.value);
    let found = false;
    for (const figure of box.querySelectorAll("figure")) {
      figure.hidden = figure.dataset.x !== x || figure.dataset.y !== y;
      found = found || !figure.hidden;
    }
    box.querySelector(".note").hidden = found;
  };
  box.addEventListener("change", show);
  show();
}
