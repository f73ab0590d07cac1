import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Checks or writes {@code docs/reference.md}: every public type that a module exports to everyone,
 * with the first sentence of its Javadoc; run by {@code ./format}.
 */
final class Reference {
    private static final String HEAD =
            """
            # Reference of types

            Every public type that a module exports, with the first sentence of its Javadoc. The rest of the contract is in the
            source, one click away. Written by `./format` from the sources; [limits and defaults](limits.md) are a page of
            their own.
            """;

    private final Path root;
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    private Reference(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        boolean replace = arguments[0].equals("--replace");
        Path root = Path.of(arguments[1]).toAbsolutePath().normalize();
        Path page = root.resolve("docs/reference.md");
        String text = new Reference(root).text();
        if (Files.exists(page) && Files.readString(page).equals(text)) {
            return;
        }
        if (replace) {
            Files.writeString(page, text);
            return;
        }
        System.err.println("differs from the sources: " + page);
        System.err.println("Run ./format to write it anew.");
        System.exit(1);
    }

    private String text() throws IOException {
        StringBuilder text = new StringBuilder(HEAD);
        for (Path module : modules()) {
            describe(module, text);
        }
        return text.toString();
    }

    /** In the order in which the parent POM builds them: each knows only those before it. */
    private List<Path> modules() throws IOException {
        return Files.readAllLines(root.resolve("pom.xml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("<module>"))
                .map(line -> line.replaceAll("</?module>", ""))
                .map(name -> root.resolve(name).resolve("src/main/java"))
                .filter(sources -> Files.exists(sources.resolve("module-info.java")))
                .toList();
    }

    private void describe(Path sources, StringBuilder text) throws IOException {
        Parsed descriptor = parse(List.of(sources.resolve("module-info.java"))).getFirst();
        ModuleTree module = descriptor.unit.getModule();
        TreePath path = new TreePath(new TreePath(descriptor.unit), module);
        List<String> exported = exported(module);
        if (exported.isEmpty()) {
            return;
        }
        text.append("\n## ").append(module.getName()).append("\n\n");
        text.append(firstSentence(descriptor.docs, path)).append('\n');
        for (String name : exported) {
            Path folder = sources.resolve(name.replace('.', '/'));
            List<String> rows = rows(folder);
            if (!rows.isEmpty()) {
                text.append("\n### ").append(name).append("\n\n| Type | Is |\n| --- | --- |\n");
                rows.forEach(row -> text.append(row).append('\n'));
            }
        }
    }

    private static List<String> exported(ModuleTree module) {
        return module.getDirectives().stream()
                .filter(ExportsTree.class::isInstance)
                .map(ExportsTree.class::cast)
                .filter(exports -> exports.getModuleNames() == null)
                .map(exports -> exports.getPackageName().toString())
                .toList();
    }

    private List<String> rows(Path folder) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.list(folder)) {
            sources =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .sorted(Comparator.comparing(Path::toString))
                            .toList();
        }
        List<String> rows = new ArrayList<>();
        for (Parsed source : parse(sources)) {
            TreePath top = new TreePath(source.unit);
            for (Tree type : source.unit.getTypeDecls()) {
                addRows(source, top, type, "", rows);
            }
        }
        return rows;
    }

    /** A row for a public type, and for those within it. */
    private void addRows(
            Parsed source, TreePath outer, Tree tree, String prefix, List<String> rows) {
        if (!(tree instanceof ClassTree type) || !isPublic(type, outer.getLeaf())) {
            return;
        }
        TreePath path = new TreePath(outer, type);
        String name = prefix + type.getSimpleName();
        Path file = root.relativize(Path.of(source.unit.getSourceFile().toUri()));
        rows.add(
                "| [%s](../%s) | %s |"
                        .formatted(
                                "`" + name + "`",
                                file.toString().replace('\\', '/'),
                                firstSentence(source.docs, path)));
        type.getMembers().forEach(member -> addRows(source, path, member, name + ".", rows));
    }

    private static boolean isPublic(ClassTree type, Tree outer) {
        return type.getModifiers().getFlags().contains(Modifier.PUBLIC)
                || outer.getKind() == Tree.Kind.INTERFACE
                || outer.getKind() == Tree.Kind.ANNOTATION_TYPE;
    }

    private static String firstSentence(DocTrees docs, TreePath path) {
        DocCommentTree comment = docs.getDocCommentTree(path);
        if (comment == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        comment.getFirstSentence().forEach(part -> append(part, text));
        return text.toString().replaceAll("\\s+", " ").replace("|", "\\|").strip();
    }

    private static void append(DocTree part, StringBuilder text) {
        switch (part) {
            case TextTree plain -> text.append(plain.getBody());
            case LiteralTree code ->
                    text.append('`').append(code.getBody().getBody().strip()).append('`');
            case LinkTree link -> append(link, text);
            case EntityTree entity -> text.append(entity);
            default -> {} // an HTML tag
        }
    }

    private static void append(LinkTree link, StringBuilder text) {
        if (link.getLabel().isEmpty()) {
            String target = link.getReference().getSignature();
            String shown = target.replaceAll("^#|\\(.*\\)$", "").replace('#', '.');
            text.append('`')
                    .append(shown.replaceAll("\\b([a-z]\\w*\\.)+(?=[A-Z])", ""))
                    .append('`');
        } else {
            link.getLabel().forEach(part -> append(part, text));
        }
    }

    /** Parses sources without resolving names, which takes a moment only. */
    private List<Parsed> parse(List<Path> sources) throws IOException {
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            DocTrees docs = DocTrees.instance(task);
            List<Parsed> parsed = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                parsed.add(new Parsed(unit, docs));
            }
            return parsed;
        }
    }

    private record Parsed(CompilationUnitTree unit, DocTrees docs) {}
}
