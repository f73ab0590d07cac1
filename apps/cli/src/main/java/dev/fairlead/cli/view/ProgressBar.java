package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.Progress;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** How far a call has come, on one line that is narrower than the terminal. */
final class ProgressBar {
    private static final int WIDEST = 30;

    private final Screen screen;

    ProgressBar(Screen screen) {
        this.screen = screen;
    }

    /** A bar with percentage, or the bare number where the total is not known; then the message. */
    String text(Progress progress) {
        Double total = progress.total();
        String how =
                total != null && total > 0 && Double.isFinite(total)
                        ? bar(progress.progress() / total)
                        : number(progress.progress());
        String message = progress.message() == null ? "" : " " + Printable.line(progress.message());
        return Columns.cut(how + message, screen.width() - 1, screen);
    }

    private String bar(double part) {
        double share = Math.min(1, Math.max(0, Double.isNaN(part) ? 0 : part));
        int width = Math.min(WIDEST, screen.width() / 3);
        int done = (int) (share * width);
        String full = screen.unicode() ? "█" : "#";
        String empty = screen.unicode() ? "░" : "-";
        String percent = String.format(Locale.ROOT, "%3d%%", (int) (share * 100));
        return "[" + full.repeat(done) + empty.repeat(width - done) + "] " + percent;
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "...";
        }
        return BigDecimal.valueOf(value)
                .setScale(2, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
