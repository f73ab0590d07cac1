package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rules for people with disabilities, which axe checks on a page as it is. */
final class Accessibility {
    /** The folder of the pictures, for people and for the documentation. */
    private static final Path PICTURES = Path.of("target", "console");

    /** Levels A and AA of WCAG 2.0 to 2.2, and good practice. */
    private static final List<String> STANDARDS =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

    /**
     * Rules that axe leaves open for some elements. It does not see the contrast of texts in
     * dialogs, in graphics, and of those that are partly scrolled away; their colours are those of
     * other texts. The pages in frames are those of servers.
     */
    private static final Set<String> UNJUDGED = Set.of("color-contrast", "frame-tested");

    /** Rules that depend on the colours; the others hold in light if they hold in dark. */
    private static final List<String> OF_COLOURS = List.of("color-contrast", "link-in-text-block");

    private Accessibility() {}

    /**
     * Checks the page in dark and in light, and takes a picture of it from its top, where nothing
     * sticks.
     */
    static void check(Page page, String name) {
        page.evaluate("scrollTo(0, 0)");
        String picture = name + "-" + page.viewportSize().width;
        List<String> breaches = new ArrayList<>();
        show(page, ColorScheme.DARK);
        for (String breach : breaches(axe(page, false).withTags(STANDARDS))) {
            breaches.add(picture + " in dark: " + breach);
        }
        show(page, ColorScheme.LIGHT);
        for (String breach : breaches(axe(page, false).withRules(OF_COLOURS))) {
            breaches.add(picture + " in light: " + breach);
        }
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setFullPage(true)
                        .setPath(PICTURES.resolve(picture + ".png")));
        assertThat(breaches).isEmpty();
    }

    private static void show(Page page, ColorScheme colours) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
    }

    /** Checks the page on a wide screen and on that of a phone. */
    static void checkOnEachScreen(Page page, String name) {
        for (ConsolePage.Screen screen : ConsolePage.Screen.values()) {
            page.setViewportSize(screen.width, screen.height);
            check(page, name);
        }
    }

    /** Checks the page together with those in its frames, which takes ten times as long. */
    static void checkWithFrames(Page page) {
        assertThat(breaches(axe(page, true).withTags(STANDARDS))).isEmpty();
    }

    private static AxeBuilder axe(Page page, boolean withFrames) {
        AxeRunOptions options = new AxeRunOptions();
        options.setResultTypes(List.of("violations", "incomplete"));
        options.setIFrames(withFrames);
        return new AxeBuilder(page)
                .setLegacyMode(!withFrames) // the other mode opens a page of its own
                .options(options);
    }

    /** Returns the violations, and the elements that axe cannot judge. */
    private static List<String> breaches(AxeBuilder axe) {
        AxeResults results = axe.analyze();
        if (results.isErrored()) {
            throw new IllegalStateException(results.getErrorMessage());
        }
        List<String> found = new ArrayList<>();
        results.getViolations().forEach(rule -> add(rule, found));
        results.getIncomplete().stream()
                .filter(rule -> !UNJUDGED.contains(rule.getId()))
                .forEach(rule -> add(rule, found));
        return found;
    }

    private static void add(Rule rule, List<String> found) {
        for (CheckedNode node : rule.getNodes()) {
            found.add(
                    "%s at %s, %s: %s"
                            .formatted(
                                    rule.getId(),
                                    node.getTarget(),
                                    node.getHtml(),
                                    node.getFailureSummary()));
        }
    }
}
