// Renders a chart as Helm does, as far as this chart needs it: its templates, values files that override each other, and
// the functions of Helm and sprig. Prints the documents of all templates, and NOTES.txt as a comment.
//
// GO111MODULE=off GOPATH=/usr/share/gocode go run deploy/helm/render.go CHART [VALUES ...]
package main

import (
	"bytes"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) object {
	content, err := ioutil.ReadFile(path)
	fail(err)
	values := object{}
	fail(yaml.Unmarshal(content, &values))
	return values
}

// Maps are merged, everything else is replaced. A null removes a value.
func merge(into, from object) object {
	for name, value := range from {
		inner, isMap := value.(object)
		if existing, ok := into[name].(object); ok && isMap {
			merge(existing, inner)
		} else if value == nil {
			delete(into, name)
		} else {
			into[name] = value
		}
	}
	return into
}

func main() {
	chart := os.Args[1]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	for _, path := range os.Args[2:] {
		merge(values, readYaml(path))
	}
	described := readYaml(filepath.Join(chart, "Chart.yaml"))
	about := object{"Name": described["name"], "Version": described["version"], "AppVersion": described["appVersion"]}
	release := object{"Name": "voice", "Namespace": "default", "Service": "Helm"}

	// A missing value is an error, so that a misspelled name is found.
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		out, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	all.Funcs(functions)

	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	fail(err)
	sort.Strings(paths)
	for _, path := range paths {
		content, err := ioutil.ReadFile(path)
		fail(err)
		_, err = all.New(filepath.Base(path)).Parse(string(content))
		fail(err)
	}
	data := object{"Values": values, "Chart": about, "Release": release}
	for _, path := range paths {
		if strings.HasSuffix(path, ".yaml") {
			fmt.Println("---")
			fail(all.ExecuteTemplate(os.Stdout, filepath.Base(path), data))
		}
	}
	// A comment of the last document.
	var notes bytes.Buffer
	fail(all.ExecuteTemplate(&notes, "NOTES.txt", data))
	fmt.Println("\n# " + strings.Join(strings.Split(notes.String(), "\n"), "\n# "))
}
