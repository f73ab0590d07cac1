package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.limits.HeapPlan;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Figures in pages are those of the code. A figure that is to be checked is followed by the field
 * that holds it, as in {@code 30 s<!-- = client.internal.ClientSettings.requestTimeout -->}.
 */
class FiguresTest {
    private static final Pattern FIGURE =
            Pattern.compile("([0-9][0-9,]*)(?: (ms|s|min|h|days|KiB|MiB))?<!-- = (\\S+) -->");
    private static final Pattern MARK = Pattern.compile("<!-- = (\\S+) -->");

    private static final Map<String, Duration> TIMES =
            Map.of(
                    "ms", Duration.ofMillis(1),
                    "s", Duration.ofSeconds(1),
                    "min", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1),
                    "days", Duration.ofDays(1));

    /** Options without a value until they are set, and values that are computed from others. */
    private static final Set<String> NO_DEFAULTS =
            Set.of(
                    "http.endpoint.Settings.maxBody", // these depend on the heap
                    "http.endpoint.Settings.maxBodySum",
                    "http.endpoint.Settings.maxSessions",
                    "http.endpoint.Settings.maxAnswerSum",
                    "http.endpoint.Settings.maxPendingSum",
                    "http.client.ConnectorOptions.maxMessageSize",
                    "stdio.CommandSettings.maxMessageSize",
                    "http.PortSettings.ioThreads", // on the engine
                    "server.call.ServerSettings.maxSessionBytesSum",
                    "server.call.ServerSettings.keepAlive",
                    "server.call.ServerSettings.keepAliveFailures",
                    "client.internal.ClientSettings.keepAlive",
                    "client.internal.ClientSettings.keepAliveFailures");

    @Test
    void everyFigureThatNamesAFieldIsItsValue() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page : Pages.all()) {
            for (MatchResult figure : figures(page)) {
                Object actual = Defaults.value(figure.group(3));
                if (!documented(figure).equals(normalized(actual))) {
                    wrong.add(Pages.name(page) + ": " + figure.group() + ", but is " + actual);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyMarkFollowsAFigure() throws IOException {
        for (Path page : Pages.all()) {
            List<String> marks =
                    MARK.matcher(Files.readString(page)).results().map(m -> m.group(1)).toList();
            assertThat(figures(page))
                    .as(Pages.name(page))
                    .extracting(m -> m.group(3))
                    .isEqualTo(marks);
        }
    }

    @Test
    void everyOptionThatIsAFigureIsDocumented() throws IOException {
        List<String> undocumented = new ArrayList<>(Defaults.options().toList());
        undocumented.removeAll(NO_DEFAULTS);
        for (Path page : Pages.all()) {
            figures(page).forEach(figure -> undocumented.remove(figure.group(3)));
        }
        assertThat(undocumented).as("options whose default stands in no page").isEmpty();
    }

    /** Its figures are compared with the code as all are. */
    @Test
    void theTableOfTheHeapHasAllSharesAndTheirSum() throws IOException {
        Path page =
                Pages.all().stream()
                        .filter(each -> each.endsWith("limits.md"))
                        .findFirst()
                        .orElseThrow();
        List<String> rows = Files.readAllLines(page);
        int sum = 0;
        for (HeapPlan share : HeapPlan.values()) {
            assertThat(rows)
                    .anyMatch(
                            row ->
                                    row.startsWith("| " + share.contents() + " | 1/")
                                            && row.contains("HeapPlan." + share + ".part"));
            sum += 32 / share.part();
        }
        assertThat(rows).contains("| together | %s/32 | – | |".formatted(sum));
    }

    private static List<MatchResult> figures(Path page) throws IOException {
        return FIGURE.matcher(Files.readString(page)).results().toList();
    }

    private static Object documented(MatchResult figure) {
        long number = Long.parseLong(figure.group(1).replace(",", ""));
        String unit = figure.group(2);
        if (unit == null) {
            return number;
        }
        return switch (unit) {
            case "KiB" -> number << 10;
            case "MiB" -> number << 20;
            default -> Objects.requireNonNull(TIMES.get(unit)).multipliedBy(number);
        };
    }

    private static Object normalized(Object value) {
        return value instanceof Number number ? (Object) number.longValue() : value;
    }
}
