plugins {
    application
    id("com.gradleup.shadow") version "{{shadow}}"
}

repositories {
    mavenLocal()
    mavenCentral()
}

val fairleadVersion = "{{fairlead}}"

dependencies {
    implementation("dev.fairlead:fairlead:$fairleadVersion")
    annotationProcessor("dev.fairlead:fairlead-processor:$fairleadVersion")
    testImplementation(platform("org.junit:junit-bom:{{junit}}"))
    testImplementation("org.junit.jupiter:junit-jupiter")
    testImplementation("org.assertj:assertj-core:{{assertj}}")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.withType<JavaCompile>().configureEach {
    options.release = 21 // with any JDK from 21 on, the one that runs Gradle
    options.encoding = "UTF-8"
}

tasks.test {
    useJUnitPlatform()
}

application {
    mainClass = "{{main}}"
}

// One jar with everything that the program needs.
tasks.shadowJar {
    archiveFileName = "{{name}}.jar"
    mergeServiceFiles() // keeps both HTTP engines
    filesMatching("META-INF/services/**") { duplicatesStrategy = DuplicatesStrategy.INCLUDE }
    manifest.attributes("Multi-Release" to "true", "Enable-Native-Access" to "ALL-UNNAMED")
}
