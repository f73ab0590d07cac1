package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.content.UnknownContent;
import dev.fairlead.protocol.resources.ResourceContents;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Blocks of content: texts unchanged, others as a line in brackets that describes them. */
final class Blocks {
    private final Screen screen;

    Blocks(Screen screen) {
        this.screen = screen;
    }

    List<String> lines(Content content) {
        return switch (content) {
            case TextContent text -> text(text.text());
            case ImageContent image ->
                    List.of(label("image", image.mimeType(), size(image.data())));
            case AudioContent audio ->
                    List.of(label("audio", audio.mimeType(), size(audio.data())));
            case ResourceLink link -> link(link);
            case EmbeddedResource embedded -> labelled(embedded.resource());
            case UnknownContent unknown -> text("[" + unknown.type() + "] " + unknown.json());
        };
    }

    /** A text; on a terminal its long lines are wrapped. */
    List<String> text(String text) {
        String printable = Printable.text(text);
        return screen.terminal()
                ? Paragraph.flowing(printable, screen.width())
                : printable.lines().toList();
    }

    /** The contents of a resource under a line that says which one it is. */
    List<String> labelled(ResourceContents contents) {
        List<String> lines = new ArrayList<>();
        lines.add(
                label(
                        "resource",
                        contents.uri(),
                        contents.mimeType(),
                        contents.blob() == null ? null : size(contents.blob())));
        if (contents.text() != null) {
            lines.addAll(text(contents.text()));
        }
        return lines;
    }

    private List<String> link(ResourceLink link) {
        List<String> lines = new ArrayList<>();
        lines.add(
                label(
                                "link",
                                link.uri(),
                                link.mimeType(),
                                link.size() == null ? null : ByteSize.of(link.size()))
                        + " "
                        + Printable.line(link.displayName()));
        if (link.description() != null) {
            lines.addAll(new Indented("  ", screen).paragraph(link.description(), Style.DIM));
        }
        return lines;
    }

    private String label(String kind, @Nullable String... facts) {
        String known =
                Stream.of(facts)
                        .filter(Objects::nonNull)
                        .map(Printable::line)
                        .collect(Collectors.joining(", "));
        return screen.styled(Style.CYAN, "[" + kind + " " + known + "]");
    }

    /** Returns how many bytes base64 stands for, without decoding it. */
    private static String size(String base64) {
        int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
        return ByteSize.of(Math.max(0, base64.length() / 4 * 3L - padding));
    }
}
