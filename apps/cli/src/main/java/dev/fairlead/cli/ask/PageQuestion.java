package dev.fairlead.cli.ask;

import dev.fairlead.cli.ask.Dialog.Choice;
import dev.fairlead.cli.view.Style;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.elicitation.Answer;

import java.net.IDN;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A page to visit: all of its URL is shown, and nothing of it is loaded before the person consents.
 */
final class PageQuestion {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<Choice> CHOICES =
            List.of(
                    new Choice('y', "open"),
                    new Choice('m', "myself"),
                    new Choice('n', "no"),
                    new Choice('c', "cancel"));

    private final Dialog dialog;
    private final ElicitUrl page;
    private final Browser browser;
    private final String url;

    PageQuestion(Dialog dialog, ElicitUrl page, Browser browser) {
        this.dialog = dialog;
        this.page = page;
        this.browser = browser;
        this.url = page.url().toASCIIString(); // letters that look like others become visible
    }

    Answer<?> ask() throws LeftException, InterruptedException {
        String server = Printable.line(page.server().displayName());
        dialog.say("");
        dialog.say(Style.BOLD, "The server \"" + server + "\" asks you to visit a page:");
        dialog.quote(Printable.text(page.message()));
        dialog.say("  URL:  " + Printable.line(url));
        dialog.say("  Host: " + dialog.styled(Style.BOLD, Printable.line(page.host())));
        warn();
        return switch (dialog.choose("Open it in your browser?", CHOICES)) {
            case 'y' -> open();
            case 'm' -> Answer.accept();
            case 'n' -> Answer.decline();
            default -> Answer.cancel();
        };
    }

    private void warn() {
        if (page.isPunycode()) {
            dialog.say(
                    Style.YELLOW,
                    "  Careful: browsers show this host as \""
                            + Printable.line(IDN.toUnicode(page.host()))
                            + "\", which can look like another one.");
        }
        if (!page.url().toString().equals(url)) {
            dialog.say(
                    Style.YELLOW,
                    "  Careful: the URL has unusual characters, shown percent-encoded.");
        }
        String scheme = String.valueOf(page.url().getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !LOOPBACK.contains(page.host())) {
            dialog.say(Style.YELLOW, "  Careful: the page is not encrypted (http).");
        }
    }

    private Answer<?> open() {
        if (!browser.open(url)) {
            dialog.say("Cannot start a browser; please open the URL yourself.");
        }
        return Answer.accept();
    }
}
