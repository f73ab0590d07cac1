package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class OutPathTest {
    @TempDir Path folder;

    private static List<Attachment> attachments(Content... content) {
        return Attachment.of(CallToolResult.of(content));
    }

    /** Returns the files in which the attachments were saved. */
    private static List<Path> save(OutPath out, List<Attachment> attachments) throws IOException {
        List<Path> saved = new ArrayList<>();
        out.save(attachments, (attachment, file) -> saved.add(file));
        return saved;
    }

    private static Content image(String bytes) {
        return Content.image(bytes.getBytes(StandardCharsets.UTF_8), "image/png");
    }

    private static Content resource(String uri, String text) {
        return Content.resource(ResourceContents.text(uri, "text/plain", text));
    }

    @Test
    void aFolderTakesEachUnderItsOwnName() throws IOException {
        List<Attachment> attachments =
                attachments(
                        Content.text("no file"),
                        image("1"),
                        image("2"),
                        resource("file:///x/notes.md?v=1", "3"));

        assertThat(save(OutPath.of(folder.toString()), attachments))
                .containsExactly(
                        folder.resolve("image.png"),
                        folder.resolve("image-2.png"),
                        folder.resolve("notes.md"));
        assertThat(folder.resolve("image-2.png")).hasContent("2");
    }

    @Test
    void aFileTakesTheFirstAndItsNeighboursTheOthers() throws IOException {
        Path file = folder.resolve("picture.png");

        assertThat(save(OutPath.of(file.toString()), attachments(image("1"), image("2"))))
                .containsExactly(file, folder.resolve("picture-2.png"));
    }

    @Test
    void noFileIsOverwritten() throws IOException {
        Path file = folder.resolve("picture.png");
        OutPath early = OutPath.of(file.toString());
        Files.writeString(file, "dear");

        assertThatThrownBy(() -> OutPath.of(file.toString()))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": exists already and is not overwritten");
        assertThatThrownBy(() -> save(early, attachments(image("1"))))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": exists already and is not overwritten");
        assertThat(file).hasContent("dear");
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Path inside = Files.createDirectory(folder.resolve("inside"));
        Files.createSymbolicLink(inside.resolve("image.png"), elsewhere);

        assertThat(save(OutPath.of(inside.toString()), attachments(image("1"))))
                .containsExactly(inside.resolve("image-2.png"));
        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void aPlaceThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> OutPath.of(folder + "/none/"))
                .hasMessage(folder + "/none/: no such folder");
        assertThatThrownBy(() -> OutPath.of(folder + "/none/file"))
                .hasMessage(folder + "/none/file: no such folder: " + folder + "/none");
    }

    @Test
    void whatIsNoBase64IsNotSaved() throws IOException {
        OutPath out = OutPath.of(folder.toString());

        assertThatThrownBy(() -> save(out, attachments(Content.image("?!", "image/png"))))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("image.png: the server sent invalid base64");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "file:///a/../../etc/passwd, passwd.txt",
        "file:///a/.., resource.txt",
        "file:///a/..%2F..%2Fetc, 2F.._2Fetc",
        "file:///a/, resource.txt",
        "file:///.bashrc, bashrc.txt",
        "file:///-rf, rf.txt",
        "x:C:\\evil.exe, x_C_evil.exe",
        "x:a\u0000b\u001bc.txt, x_a_b_c.txt",
        "x:日本.txt, x_.txt"
    })
    void noNameOfAServerLeadsAnywhere(String uri, String name) throws IOException {
        assertThat(save(OutPath.of(folder.toString()), attachments(resource(uri, "x"))))
                .containsExactly(folder.resolve(name));
    }

    @Test
    void longNamesAreCut() {
        assertThat(FileName.of("x".repeat(300) + ".png", null)).hasSize(80).endsWith("x.png");
    }
}
